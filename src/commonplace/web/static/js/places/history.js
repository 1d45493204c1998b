// History: every change as a readable difference, who and why, with a way back; backups; the memory as it was on a day.

import { html, useState } from "../core.js";
import { path, post } from "../api.js";
import { useLoad, usePages } from "../live.js";
import { go } from "../router.js";
import { Diff } from "../diff.js";
import { Button, Dialog, Empty, Head, Icon, Loaded, More, Note, Problem, Tabs, say } from "../parts.js";
import { inline } from "../markdown.js";
import { ORIGINS, VOICES, deed, longDay, moment, plural, shortDay, size, timeOf } from "../words.js";
import { messageAddress } from "./entry-dialogs.js";

const tabs = (open) => html`<${Tabs} label="History" tabs=${[
  { words: "Changes", to: "/history", open: open === "changes" },
  { words: "Backups", to: "/history/backups", open: open === "backups" },
  { words: "As it was", to: "/history/as-of", open: open === "as-of" }]} />`;

function byDay(changes) {
  const days = new Map();
  for (const change of changes) {
    const day = change.at.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), change]);
  }
  return [...days];
}

function Deed({ summary }) {
  const { label, text } = deed(summary);
  return text ? html`<span class="soft">${label}</span> ${inline(text)}` : label;
}

function ChangeRow({ change }) {
  return html`<li><a class="change-row" href=${`/history/${change.id}`}><span class="num soft small">${timeOf(change.at)}</span><span class="grow"><${Deed} summary=${change.summary} /></span>
    <span class=${`tag ${change.origin === "person" ? "accent" : ""}`}>${ORIGINS[change.origin] ?? change.origin}</span></a></li>`;
}

function Changes({ query }) {
  const file = query.get("file") ?? "";
  const pages = usePages("/changes", { file, limit: 50 });
  return html`<div class="page wide"><${Head} title="History" lead="Every change of your memory, whoever made it. Any of them can be undone.">${tabs("changes")}</${Head}>
    <div class="stack">
      ${(pages.items.length > 0 || file) && html`<label class="row"><span class="label">Changes of</span><select class="input" value=${file} onChange=${(event) => go(event.target.value ? `/history?file=${event.target.value}` : "/history", { replace: true })}>
        <option value="">everything</option><option value="MEMORY.md">MEMORY.md only</option><option value="INBOX.md">the inbox only</option></select></label>`}
      <${Problem} trouble=${pages.trouble} retry=${pages.reload} />
      ${pages.fresh && !pages.items.length && !pages.trouble && html`<${Empty} icon="history" title="Nothing has happened yet"><p>From the first entry on, each change is kept here with who asked for it and why.</p></${Empty}>`}
      ${byDay(pages.items).map(([day, changes]) => html`<section class="stack tight" aria-label=${longDay(day)}><h2 class="day-head">${longDay(day)}</h2>
        <ol class="card flush rows">${changes.map((change) => html`<${ChangeRow} key=${change.id} change=${change} />`)}</ol></section>`)}
      <${More} pages=${pages} words="Show older changes" />
    </div></div>`;
}

function Undoing({ change }) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState(null);
  const undo = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      const done = await post(path`/changes/${change.id}/undo`);
      say("Undone.", { change: done.change, name: "Redo" });
      go("/history");
    } catch (problem) {
      setTrouble(problem);
    }
    setBusy(false);
  };
  return html`<div class="stack"><${Problem} trouble=${trouble} /><div class="row"><${Button} icon="undo" busy=${busy} onClick=${undo}>Undo this change</${Button}></div></div>`;
}

function OneChange({ id }) {
  const loaded = useLoad(path`/changes/${id}`, {}, false);
  return html`<div class="page wide"><${Loaded} of=${loaded} title="A change">${(change) => html`<${Head} title=${deed(change.summary).label}
      lead=${`${moment(change.at)}, by ${ORIGINS[change.origin] ?? change.origin}${change.voice ? ` (${VOICES[change.voice]})` : ""} · change ${change.short}`}>
      <a class="btn" href="/history"><${Icon} name="left" />All changes</a></${Head}>
    <div class="stack">
      <div class="row links">
        ${change.session && html`<a href=${messageAddress(change.session, change.messages[0])}>From this conversation</a>`}
        ${change.undoes && html`<a href=${`/history/${change.undoes}`}>It takes back another change</a>`}
        ${change.undone_by && html`<a href=${`/history/${change.undone_by}`}>It was undone later</a>`}</div>
      ${change.reason && html`<p>Why: ${change.reason}</p>`}
      ${change.diff.map((file) => html`<${Diff} name=${file.name} before=${file.before} after=${file.after} />`)}
      <${Undoing} change=${change} />
    </div>`}</${Loaded}></div>`;
}

function Restoring({ name, onClose, reload }) {
  const loaded = useLoad(path`/backups/${name}`, {}, ["MEMORY.md"]);
  const [trouble, setTrouble] = useState(null);
  const [busy, setBusy] = useState(false);
  const restore = async (etag) => {
    setBusy(true);
    setTrouble(null);
    try {
      const done = await post(path`/backups/${name}/restore`, {}, etag);
      say("Restored. What was there before is kept as a backup.", { change: done.change });
      reload();
      onClose();
    } catch (problem) {
      setTrouble(problem);
      if (problem.status === 412) loaded.reload();
    }
    setBusy(false);
  };
  return html`<${Dialog} title="Restore this backup" wide onClose=${onClose}><${Loaded} of=${loaded}>${(backup) => html`
    <p>${moment(backup.at)}, ${size(backup.size)}. This is what changes in MEMORY.md; what is there now is kept as a backup, and you can undo it.</p>
    <${Diff} name="MEMORY.md" before=${backup.diff.before} after=${backup.diff.after} />
    <${Problem} trouble=${trouble} />
    <div class="row end dialog-foot"><${Button} onClick=${onClose}>Leave it</${Button}><${Button} kind="main-act" busy=${busy} disabled=${backup.diff.before === backup.diff.after} onClick=${() => restore(backup.etag)}>Restore</${Button}></div>`}</${Loaded}></${Dialog}>`;
}

function Backups() {
  const backups = useLoad("/backups", {}, ["backups/", "MEMORY.md"]);
  const [open, setOpen] = useState(null);
  const make = async () => {
    const said = await post("/backups").catch((trouble) => ({ trouble }));
    say(said.trouble?.message ?? (said.backup === null ? "There is nothing to copy yet." : "A copy was made."));
    backups.reload();
  };
  return html`<div class="page wide"><${Head} title="History" lead="Copies of MEMORY.md: made before anything that changes much, and whenever you ask.">${tabs("backups")}</${Head}>
    <div class="stack"><div><${Button} icon="plus" onClick=${make}>Make a backup now</${Button}></div>
    <${Loaded} of=${backups}>${({ items }) => (items.length === 0 ? html`<${Empty} icon="history" title="No backup yet"><p>One is made by itself before anything that changes much.</p></${Empty}>` : html`
      <ul class="card flush rows">${items.map((backup) => html`<li><button type="button" class="change-row" onClick=${() => setOpen(backup.name)}><${Icon} name="file" />
        <span class="grow">${moment(backup.at)}</span><span class="soft small">${size(backup.size)}</span><span class="small">Look and restore</span></button></li>`)}</ul>`)}</${Loaded}></div>
    ${open && html`<${Restoring} name=${open} reload=${backups.reload} onClose=${() => setOpen(null)} />`}</div>`;
}

function AsOf({ query, about }) {
  const day = query.get("day") ?? about.today;
  const loaded = useLoad("/memory/as-of", { day }, ["MEMORY.md"]);
  return html`<div class="page wide"><${Head} title="History" lead="Your memory as it was at the end of a day.">${tabs("as-of")}</${Head}>
    <div class="stack"><label class="row"><span class="label">On</span><input class="input slim" type="date" max=${about.today} value=${day} onChange=${(event) => event.target.value && go(`/history/as-of?day=${event.target.value}`, { replace: true })} /></label>
    <${Loaded} of=${loaded}>${(data) => {
      const count = data.sections.reduce((sum, { entries }) => sum + entries.length, 0);
      return html`<div class="stack loose"><p class="soft" role="status">${longDay(data.day)}: ${plural(count, "entry", "entries")}${data.change ? html`, last changed ${shortDay(data.change.at.slice(0, 10))} (<a href=${`/history/${data.change.id}`}>${deed(data.change.summary).label}</a>)` : ""}</p>
        ${count === 0 && html`<${Note}>${data.change || day === about.today ? "Nothing was remembered then." : "The history does not reach back to this day."}</${Note}>`}
        ${data.sections.filter(({ entries }) => entries.length).map((section) => html`<section class="section"><div class="section-head"><h2>${section.title || "Before any section"}</h2></div>
          <ul class="entries">${section.entries.map((entry) => html`<li class="entry"><div class="entry-text">${inline(entry.plain)}</div></li>`)}</ul></section>`)}</div>`;
    }}</${Loaded}></div></div>`;
}

export default function History({ parts, query, about }) {
  if (parts[0] === "backups") return html`<${Backups} />`;
  if (parts[0] === "as-of") return html`<${AsOf} query=${query} about=${about} />`;
  return parts[0] ? html`<${OneChange} key=${parts[0]} id=${parts[0]} />` : html`<${Changes} query=${query} />`;
}
