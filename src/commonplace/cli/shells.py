"""`completion`: the script that lets a shell complete commands and options."""

import click

from commonplace.cli.call import common, current

_WHERE = {
    "bash": 'Put this line into ~/.bashrc:  eval "$(commonplace completion bash)"',
    "zsh": 'Put this line into ~/.zshrc, after compinit:  eval "$(commonplace completion zsh)"',
    "fish": "Run:  commonplace completion fish > ~/.config/fish/completions/commonplace.fish",
}


@click.command(short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(list(_WHERE)), metavar="bash|zsh|fish")
@common
def completion(shell: str) -> None:
    """Print the completion script of a shell; its first line says where to put it."""
    from click.shell_completion import get_completion_class

    from commonplace.cli.root import commonplace

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"No completion for {shell}.", click.get_current_context())
    made = kind(commonplace, {}, "commonplace", "_COMMONPLACE_COMPLETE")
    script = made.source_template % made.source_vars()
    call = current()
    if call.json:
        call.answer({"shell": shell, "where": _WHERE[shell], "script": script})
    else:
        click.echo(f"# {_WHERE[shell]}\n{script}")
