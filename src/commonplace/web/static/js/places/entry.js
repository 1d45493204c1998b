// One entry: how it reads, how it is written, what the gate says to it, and what can be done with it.

import { Component, html, useEffect, useRef, useState } from "../core.js";
import { patch, post, put, remove, path, Trouble } from "../api.js";
import { Button, Icon, Menu, Note, Problem, say } from "../parts.js";
import { inline } from "../markdown.js";
import { ORIGINS, ago, nearDay } from "../words.js";

const where = (entry, more = "") => path`/memory/entries/${entry.id}` + more;

export function Quoted({ entry, label }) {
  return html`<blockquote class="quoted"><span class="soft small">${label ?? (entry.section || "before any section")}</span>
    <p>${inline(entry.plain ?? entry.text)}</p></blockquote>`;
}

// What the gate says to a text, and the buttons that make sense; `asked`: it was to be saved, and was not.
export function Verdict({ verdict, asked, busy, change, insist, leave }) {
  const choices = verdict.choices ?? [];
  const alike = verdict.existing !== null;
  return html`<${Note} kind="warn" role="status">
    <p>${asked && html`<strong>Not saved yet.</strong> `}${verdict.reason}</p>
    ${alike && html`<${Quoted} entry=${verdict.existing} />`}
    <div class="row">
      ${alike && change && choices.includes("update") && html`<${Button} kind="small" disabled=${busy} onClick=${() => change(verdict.existing)}>Change that one</${Button}>`}
      ${insist && choices.includes("insist") && html`<${Button} kind="small" disabled=${busy} onClick=${insist}>${alike ? "Keep both" : "Save it anyway"}</${Button}>`}
      ${leave && html`<${Button} kind="small" disabled=${busy} onClick=${leave}>Leave it</${Button}>`}
    </div>
  </${Note}>`;
}

// The entry was changed elsewhere while one typed: both texts, and nothing is lost whatever one chooses.
function Collision({ problem, text, busy, over, both, leave }) {
  const { became, change } = problem;
  const who = change ? ` by ${ORIGINS[change.origin] ?? change.origin}, ${ago(change.at)}` : "";
  return html`<${Note} kind="warn" role="alert">
    <p><strong>${became ? "This entry was changed meanwhile" : "This entry was forgotten meanwhile"}</strong>${who}.</p>
    <div class="two">
      <${Quoted} label="As it is now" entry=${became ?? { text: "(it is gone; the history has it)" }} />
      <${Quoted} label="Yours" entry=${{ text }} />
    </div>
    <div class="row">
      ${became && html`<${Button} kind="small" disabled=${busy} onClick=${over}>Put mine in its place</${Button}>`}
      <${Button} kind="small" disabled=${busy} onClick=${both}>${became ? "Keep both" : "Save mine as a new entry"}</${Button}>
      <${Button} kind="small" disabled=${busy} onClick=${leave}>Leave it as it is now</${Button}>
    </div>
  </${Note}>`;
}

// Grows with what is written in it, and takes the focus.
export function Area({ text, change, label, ...rest }) {
  const area = useRef(null);
  useEffect(() => {
    area.current.style.height = "auto";
    area.current.style.height = `${area.current.scrollHeight + 2}px`;
  }, [text]);
  useEffect(() => {
    area.current.focus();
    area.current.setSelectionRange(text.length, text.length);
    area.current.closest(".entry-editor")?.scrollIntoView({ block: "nearest" });
  }, []);
  return html`<textarea class="input" rows="2" ref=${area} aria-label=${label} value=${text} onInput=${(event) => change(event.target.value)} ...${rest}></textarea>`;
}

// Judges what is typed once the typing pauses; an older answer never replaces a newer one.
function useJudgement(text, section, on) {
  const [verdict, set] = useState(null);
  useEffect(() => {
    set(null);
    if (!on || text.trim().length < 4) return undefined;
    let current = true;
    const timer = setTimeout(() => {
      post("/memory/judge", { text, section }).then((said) => current && set(said)).catch(() => {});
    }, 350);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, section, on]);
  return verdict && verdict.kind !== "store" ? verdict : null;
}

// Writing a new entry (without `entry`) or another text for one. `edit` switches to another entry with what was typed.
export function EntryEditor({ entry, section, sections, text, setText, setSection, gone, done, leave, edit }) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState(null);
  const [collision, setCollision] = useState(null);
  const [outcome, setOutcome] = useState(null);
  const advice = useJudgement(text, section || null, !entry && !outcome);
  const changed = (value) => {
    setText(value);
    setOutcome(null);
    setTrouble(null);
  };
  const save = async ({ insist = false, over = null, fresh = false } = {}) => {
    if (busy || !text.trim()) return;
    setBusy(true);
    setTrouble(null);
    try {
      const target = over ?? (fresh ? null : entry);
      const said = target
        ? await patch(where(target), { text }, target.id)
        : await post("/memory/entries", { text, section: section || null, insist: insist || fresh });
      setBusy(false);
      if (["saved", "revised", "unchanged"].includes(said.result)) done(said);
      else if (said.result === "held") done(said, "It waits in the inbox for your yes.");
      else setOutcome(said);
    } catch (problem) {
      setBusy(false);
      if (!(problem instanceof Trouble)) throw problem;
      if (problem.status === 412) setCollision(problem.problem);
      else setTrouble(problem);
    }
  };
  const keys = (event) => {
    if (event.key === "Escape") leave();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
    else return;
    event.preventDefault();
  };
  const verdict = outcome?.verdict ?? advice;
  const title = entry ? "Change this entry" : "New entry";
  return html`<div class="entry-editor" role="group" aria-label=${title} onKeyDown=${keys}>
    <${Area} text=${text} change=${changed} label=${entry ? "The entry" : "What should be remembered"}
      placeholder=${entry ? "" : "One fact, in a sentence: “I prefer short answers with an example.”"} maxlength="5000" />
    ${gone && !collision && html`<${Note} kind="warn">This entry was changed or forgotten elsewhere meanwhile. What you type is still here; saving shows you both.</${Note}>`}
    ${collision && html`<${Collision} problem=${collision} text=${text} busy=${busy} over=${() => save({ over: collision.became })}
      both=${() => save({ fresh: true })} leave=${leave} />`}
    ${verdict && !collision && html`<${Verdict} verdict=${verdict} asked=${outcome !== null} busy=${busy} change=${entry ? null : edit} insist=${entry ? null : () => save({ insist: true })} leave=${leave} />`}
    ${outcome && !outcome.verdict && html`<${Note} kind="warn" role="status"><p>${outcome.message ?? "Nothing was saved."}</p></${Note}>`}
    <${Problem} trouble=${trouble} />
    <div class="row between">
      <div class="row">${!entry && html`<label class="row"><span class="label">Section</span>
        <select class="input" value=${section} onChange=${(event) => setSection(event.target.value)}>
          <option value="">Choose for me</option>${sections.map((title) => html`<option value=${title}>${title}</option>`)}</select></label>`}</div>
      <div class="row"><${Button} kind="quiet" onClick=${leave}>Cancel</${Button}>
        <${Button} kind="main-act" busy=${busy} disabled=${!text.trim()} onClick=${() => save()} title="Ctrl+Enter">Save</${Button}></div>
    </div>
  </div>`;
}

async function attempt(words, action) {
  try {
    const said = await action();
    say(words, { change: said.change });
  } catch (trouble) {
    if (!(trouble instanceof Trouble)) throw trouble;
    say(trouble.status === 412 ? "It was changed meanwhile: have a look, then do it again." : trouble.message);
  }
}

const protect = (entry) => attempt("Protected: no agent and no tidying up changes it.", () => put(where(entry, "/protection"), undefined, entry.id));
const unprotect = (entry) => attempt("No longer protected.", () => remove(where(entry, "/protection"), entry.id));
export const forget = (entry) => attempt("Forgotten.", () => remove(where(entry), entry.id));
export const move = (entry, section) => attempt(`Moved to ${section}.`, () => post(where(entry, "/move"), { section }, entry.id));

// A row that draws itself again only when its entry did change: there may be thousands.
export class EntryRow extends Component {
  shouldComponentUpdate(next) {
    return next.entry.id !== this.props.entry.id || next.entry.protected !== this.props.entry.protected || next.chosen !== this.props.chosen ||
      next.entry.written !== this.props.entry.written;
  }

  render({ entry, open, chosen }) {
    const actions = [
      { icon: "pen", words: "Edit", run: () => open("edit", entry) },
      { icon: "move", words: "Move to another section", run: () => open("move", entry) },
      entry.protected
        ? { icon: "unlock", words: "Stop protecting", run: () => unprotect(entry) }
        : { icon: "lock", words: "Protect", run: () => protect(entry) },
      { icon: "origin", words: "Where it came from", run: () => open("why", entry) },
      { icon: "trash", words: "Forget", run: () => forget(entry), danger: true },
      { icon: "erase", words: "Forget everywhere …", run: () => open("erase", entry), danger: true },
    ];
    const short = entry.plain.length > 60 ? `${entry.plain.slice(0, 60)} …` : entry.plain;
    return html`<li class=${`entry ${chosen ? "chosen" : ""}`} id=${`entry-${entry.id}`} onDblClick=${() => open("edit", entry)}>
      <div class="entry-text">${inline(entry.plain)}</div>
      <div class="entry-side">
        ${entry.protected && html`<span class="tag accent" title="You asked for it: no agent and no tidying up changes it"><${Icon} name="lock" /><span class="word">protected</span></span>`}
        ${entry.written && html`<span class="soft small entry-date">${nearDay(entry.written.slice(0, 10))}</span>`}
        <${Menu} label=${`Actions for: ${short}`} actions=${actions} />
      </div>
    </li>`;
  }
}
