// The whole of MEMORY.md in an editor: line numbers, the sections beside it, a preview, and no lost update.

import { html, useEffect, useMemo, useRef, useState } from "../core.js";
import { get, put } from "../api.js";
import { useChanges } from "../live.js";
import { useGuard } from "../router.js";
import { Diff } from "../diff.js";
import { Button, Head, Icon, Loading, Note, Problem, say } from "../parts.js";
import { Markdown } from "../markdown.js";
import { Verdict } from "./entry.js";
import { number, plural } from "../words.js";

function headings(text) {
  const found = [];
  let at = 0;
  let fence = false;
  for (const line of text.split("\n")) {
    if (/^ {0,3}(```|~~~)/.test(line)) fence = !fence;
    else if (!fence && /^## /.test(line)) found.push({ title: line.slice(3).trim(), at, entries: 0 });
    else if (!fence && /^[-*+] /.test(line) && found.length) found.at(-1).entries += 1;
    at += line.length + 1;
  }
  return found;
}

// The text stands twice in one cell: a hidden copy, line by line, gives the height and carries the numbers.
function Writing({ text, change, area, copy, save }) {
  const lines = useMemo(() => text.split("\n"), [text]);
  const keys = (event) => {
    if ((event.ctrlKey || event.metaKey) && (event.key === "s" || event.key === "Enter")) {
      event.preventDefault();
      save();
    }
  };
  return html`<div class="writing"><div class="copy" ref=${copy} aria-hidden="true">${lines.map((line, at) => html`<div data-line=${at + 1} class=${/^#{1,6} /.test(line) ? "head" : undefined}>${line || " "}</div>`)}</div>
    <textarea ref=${area} aria-label="MEMORY.md" placeholder=${"## Preferences\n\n- I prefer short answers with an example"} spellcheck="false" value=${text} onKeyDown=${keys} onInput=${(event) => change(event.target.value)}></textarea></div>`;
}

function Clash({ clash, text, busy, together, over, theirs }) {
  return html`<${Note} kind="warn" role="alert"><p><strong>MEMORY.md was changed meanwhile.</strong>
      ${clash.merged !== null ? " Both changes fit together." : " The same lines were changed, so please choose. Nothing is lost: the history keeps both."}</p>
    <${Diff} name="MEMORY.md: as it is now, and yours" before=${clash.current.text} after=${text} />
    <div class="row">${clash.merged !== null && html`<${Button} kind="main-act" disabled=${busy} onClick=${together}>Save both together</${Button}>`}
      <${Button} disabled=${busy} onClick=${over}>Save mine in its place</${Button}>
      <${Button} disabled=${busy} onClick=${theirs}>Take it as it is now</${Button}></div></${Note}>`;
}

export default function FileEditor() {
  const [file, setFile] = useState(null); // as it was read: {text, etag}
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState(null);
  const [clash, setClash] = useState(null);
  const [verdict, setVerdict] = useState(null);
  const [elsewhere, setElsewhere] = useState(false);
  const [preview, setPreview] = useState(false);
  const area = useRef(null);
  const copy = useRef(null);
  const dirty = file !== null && text !== file.text;
  useGuard(dirty ? "MEMORY.md is not saved yet. Leave it?" : "");
  const load = async () => {
    try {
      const read = await get("/memory/text");
      setFile(read);
      setText(read.text);
      setElsewhere(false);
    } catch (problem) {
      setTrouble(problem);
    }
  };
  useEffect(() => {
    load();
  }, []);
  useChanges((change) => {
    if (!file || change.etag === file.etag || (change.files.length && !change.files.includes("MEMORY.md"))) return;
    if (dirty) setElsewhere(true);
    else if (!busy) load();
  });
  const save = async ({ words = text, etag = file.etag, insist = false } = {}) => {
    if (busy) return;
    setBusy(true);
    setTrouble(null);
    setVerdict(null);
    try {
      const said = await put("/memory/text", { text: words, insist }, etag);
      if (said.result === "refused") setVerdict(said.verdict);
      else {
        setFile({ text: words, etag: said.etag });
        setText(words);
        setClash(null);
        setElsewhere(false);
        say(said.change ? "Saved." : "Nothing was different.", { change: said.change });
      }
    } catch (problem) {
      if (problem.status === 412) setClash(problem.problem);
      else setTrouble(problem);
    }
    setBusy(false);
  };
  const jump = (at) => {
    area.current.focus({ preventScroll: true });
    area.current.setSelectionRange(at, at);
    copy.current.children[text.slice(0, at).split("\n").length - 1].scrollIntoView({ block: "center" });
  };
  if (!file) return html`<div class="page wide"><${Head} title="MEMORY.md" />${trouble ? html`<${Problem} trouble=${trouble} retry=${load} />` : html`<${Loading} />`}</div>`;
  const sections = headings(text);
  return html`<div class="page wide"><${Head} title="MEMORY.md" lead="The whole file, as it is on your disk. A section is a line that begins with ##, an entry a line that begins with a dash.">
      <${Button} aria-pressed=${preview} onClick=${() => setPreview(!preview)}>Preview</${Button}>
      <a class="btn" href="/memory">Back to the entries</a>
      <${Button} kind="main-act" busy=${busy} disabled=${!dirty} onClick=${() => save()} title="Ctrl+S">Save</${Button}></${Head}>
    <div class="stack">
      <${Problem} trouble=${trouble} />
      ${elsewhere && !clash && html`<${Note} kind="warn" role="status">MEMORY.md was changed elsewhere meanwhile. What you type is still here; saving shows you both.</${Note}>`}
      ${clash && html`<${Clash} clash=${clash} text=${text} busy=${busy} together=${() => save({ words: clash.merged, etag: clash.current.etag })}
        over=${() => save({ etag: clash.current.etag })} theirs=${() => { setFile(clash.current); setText(clash.current.text); setClash(null); setElsewhere(false); }} />`}
      ${verdict && html`<${Verdict} verdict=${verdict} asked busy=${busy} insist=${() => save({ insist: true })} leave=${() => setVerdict(null)} />`}
      <div class=${`file-grid ${sections.length ? "" : "bare"} ${preview ? "split" : ""}`}>
        ${sections.length > 0 && html`<nav class="file-outline" aria-label="Sections of the file"><ul>${sections.map(({ title, at, entries }) => html`<li><button type="button" onClick=${() => jump(at)}>
          <span>${title}</span><span class="soft num">${entries}</span></button></li>`)}</ul></nav>`}
        <${Writing} text=${text} change=${setText} area=${area} copy=${copy} save=${() => dirty && save()} />
        ${preview && html`<div class="card preview" tabindex="0" role="region" aria-label="Preview"><${Markdown} text=${text} /></div>`}
      </div>
      <p class="soft small num">${plural(text.split("\n").length, "line")}, ${number(text.length)} characters${dirty ? " · not saved yet" : ""}</p>
    </div></div>`;
}
