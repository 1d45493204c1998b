// Memory: the sections and entries as a page one enjoys reading, and everything that can be done with one of them.

import { html, useCallback, useEffect, useMemo, useRef, useState } from "../core.js";
import { useLoad } from "../live.js";
import { go, useGuard } from "../router.js";
import { Button, Empty, Head, Icon, Loaded, say } from "../parts.js";
import { number, plural } from "../words.js";
import { EntryEditor, EntryRow, forget } from "./entry.js";
import { Erasing, Moving, Why } from "./entry-dialogs.js";
import { setLocalKeys } from "../keys.js";
import FileEditor from "./editor.js";

const EXAMPLES = ["I prefer short answers with an example", "My daughter Ana is allergic to nuts", "Our releases go out on Thursdays"];

const idle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 30));
const notIdle = globalThis.cancelIdleCallback ?? clearTimeout;

// The first entries are there at once; thousands more are drawn while nothing else is to be done.
function useGradually(total, first = 60, step = 200) {
  const [drawn, set] = useState(first);
  useEffect(() => {
    if (drawn >= total) return undefined;
    const id = idle(() => set((old) => old + step));
    return () => notIdle(id);
  }, [drawn, total]);
  return drawn;
}

const matching = (entry, words) => words.every((word) => entry.text.toLowerCase().includes(word));

function filtered(sections, filter) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return sections;
  return sections.map((section) => ({ ...section, entries: section.entries.filter((entry) => matching(entry, words)) })).filter((section) => section.entries.length);
}

function Outline({ sections }) {
  return html`<nav class="outline" aria-label="Sections"><ul>${sections.map((section, at) => html`
    <li><a href=${`#section-${at}`}><span>${section.title || "Before any section"}</span><span class="soft num">${section.entries.length}</span></a></li>`)}</ul></nav>`;
}

function SectionPart({ section, at, room, editing, draft, chosen, open, write }) {
  const shown = section.entries.slice(0, room);
  const rows = shown.map((entry) => (editing?.entry.id === entry.id
    ? null
    : html`<${EntryRow} key=${entry.id} entry=${entry} open=${open} chosen=${chosen === entry.id} />`));
  if (editing?.entry.section === section.title) {
    const here = section.entries.findIndex((entry) => entry.id === editing.entry.id);
    rows.splice(here < 0 ? Math.min(editing.at, rows.length) : here, here < 0 ? 0 : 1, html`<li key="editing" class="entry open">${draft}</li>`);
  }
  return html`<section class="section" aria-labelledby=${`section-${at}`}>
    <div class="section-head"><h2 id=${`section-${at}`} tabindex="-1">${section.title || "Before any section"}</h2>
      <span class="soft num small">${section.entries.length || ""}</span>
      ${section.title && html`<${Button} kind="quiet small" icon="plus" label=${`New entry in ${section.title}`} onClick=${() => write(section.title)} />`}</div>
    ${rows.length ? html`<ul class="entries">${rows}</ul>` : html`<p class="soft small">Nothing here yet.</p>`}
  </section>`;
}

function Invitation({ write }) {
  return html`<${Empty} icon="memory" title="Your memory is empty: begin it">
    <p>Write down one thing that an assistant should always know about you or your work. It becomes one line in MEMORY.md, a plain file that is yours.</p>
    <div class="row">${EXAMPLES.map((words) => html`<${Button} onClick=${() => write("", words)}>“${words}”</${Button}>`)}</div>
    <p class="small">Or connect the agents you have with <code>commonplace install</code>: what you tell them lands here. Or <a href="/health#import">bring in what other programs know</a>.</p>
  </${Empty}>`;
}

// Keys j and k move along the entries as they are drawn, e edits one, # forgets it.
function useEntryKeys(sections, open) {
  useEffect(() => {
    const at = () => document.activeElement?.closest(".entry");
    const step = (by) => () => {
      const rows = [...document.querySelectorAll(".entry")];
      const next = rows[Math.max(0, Math.min(rows.length - 1, at() ? rows.indexOf(at()) + by : 0))];
      next?.querySelector("button")?.focus();
      next?.scrollIntoView({ block: "nearest" });
    };
    const entry = () => sections.flatMap((section) => section.entries).find(({ id }) => `entry-${id}` === at()?.id);
    const acting = (action) => () => entry() && action(entry());
    return setLocalKeys({ j: step(1), k: step(-1), e: acting((one) => open("edit", one)), "#": acting(forget) });
  }, [sections, open]);
}

function useArrival(sections, wanted) {
  useEffect(() => {
    if (!wanted || !sections) return;
    const row = document.getElementById(`entry-${wanted}`);
    row?.scrollIntoView({ block: "center" });
    row?.querySelector("button")?.focus({ preventScroll: true });
  }, [wanted, Boolean(sections)]);
}

function Reading({ memory, about, query, reload }) {
  const [filter, setFilter] = useState("");
  const [work, setWork] = useState(null); // what is open: {kind, entry, at, text, section}
  const sections = useMemo(() => filtered(memory.sections, filter), [memory, filter]);
  const wanted = query.get("entry");
  const drawn = useGradually(memory.entries, wanted ? memory.entries : undefined);
  const latest = useRef(memory);
  latest.current = memory;
  const open = useCallback((kind, entry, text) => {
    const section = latest.current.sections.find(({ title }) => title === entry.section);
    const at = section ? section.entries.findIndex(({ id }) => id === entry.id) : 0;
    setWork({ kind, entry, at, text: text ?? entry.plain });
  }, []);
  const write = useCallback((section = "", text = "") => setWork({ kind: "new", section, text }), []);
  const close = useCallback(() => setWork(null), []);
  useEffect(() => {
    if (!query.get("new")) return;
    write();
    go("/memory", { replace: true });
  }, [query.get("new")]);
  useArrival(memory.sections, wanted);
  useEntryKeys(sections, open);
  const dirty = work?.kind === "new" ? work.text.trim() : work?.kind === "edit" && work.text !== work.entry.plain;
  useGuard(dirty ? "What you typed is not saved yet. Leave it?" : "");
  const titles = [...new Set([...memory.sections.map(({ title }) => title).filter(Boolean), ...about.sections])];
  const done = (outcome, words) => {
    close();
    say(words ?? (outcome.result === "revised" ? "Changed." : outcome.result === "saved" ? `Saved in ${outcome.entry.section}.` : "It was so already."), { change: outcome.change });
    reload();
  };
  const setText = (text) => setWork((old) => ({ ...old, text }));
  const setSection = (section) => setWork((old) => ({ ...old, section }));
  const editing = work?.kind === "edit" ? work : null;
  const known = editing && memory.sections.some(({ entries }) => entries.some(({ id }) => id === editing.entry.id));
  const draft = work && html`<${EntryEditor} key=${editing ? editing.entry.id : "new"} entry=${editing?.entry} section=${work.section} sections=${titles} text=${work.text} setText=${setText}
    setSection=${setSection} gone=${editing && !known} done=${done} leave=${close} edit=${(entry) => open("edit", entry, work.text)} />`;
  const homeless = editing && !sections.some(({ title }) => title === editing.entry.section);
  let room = drawn;
  return html`
    ${(work?.kind === "new" || homeless) && html`<div class="card composer">${draft}</div>`}
    ${memory.entries === 0 && !work ? html`<${Invitation} write=${write} />` : html`
    <div class="memory-grid"><div class="stack loose">
      ${memory.entries > 12 && html`<label class="big-input small-one"><span class="unseen">Show only entries with these words</span><${Icon} name="search" />
        <input class="input" type="search" placeholder="Show only entries with …" value=${filter} onInput=${(event) => setFilter(event.target.value)} /></label>`}
      ${filter && html`<p class="soft small" role="status">${plural(sections.reduce((sum, { entries }) => sum + entries.length, 0), "entry", "entries")} of ${number(memory.entries)}</p>`}
      ${sections.map((section, at) => {
        const part = html`<${SectionPart} key=${section.title} section=${section} at=${at} room=${Math.max(0, room)} editing=${editing} draft=${draft} chosen=${wanted} open=${open} write=${write} />`;
        room -= section.entries.length;
        return part;
      })}
    </div>${memory.sections.length > 1 && html`<${Outline} sections=${sections} />`}</div>`}
    ${work?.kind === "why" && html`<${Why} entry=${work.entry} onClose=${close} />`}
    ${work?.kind === "move" && html`<${Moving} entry=${work.entry} sections=${titles} onClose=${close} />`}
    ${work?.kind === "erase" && html`<${Erasing} entry=${work.entry} onClose=${close} />`}`;
}

export default function Memory({ parts, query, about }) {
  const memory = useLoad("/memory", { written: true }, ["MEMORY.md"]);
  if (parts[0] === "edit") return html`<${FileEditor} />`;
  const lead = memory.data && memory.data.entries > 0 &&
    `${plural(memory.data.entries, "entry", "entries")} in ${plural(memory.data.sections.filter(({ title, entries }) => title && entries.length).length, "section")}, about ${number(Number(memory.data.tokens.toPrecision(2)))} tokens`;
  return html`<div class="page wide"><${Head} title="Memory" lead=${lead}>
      <a class="btn" href="/memory/edit"><${Icon} name="file" />Edit the file</a>
      <${Button} kind="main-act" icon="plus" onClick=${() => go("/memory?new=1")}>New entry</${Button}>
    </${Head}>
    <${Loaded} of=${memory}>${(data) => html`<${Reading} memory=${data} about=${about} query=${query} reload=${memory.reload} />`}</${Loaded}></div>`;
}
