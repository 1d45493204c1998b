// Inbox: what waits for a yes or no, beside the entries nearest to it; one by one or many at once, by keyboard too.

import { html, useEffect, useState } from "../core.js";
import { path, post } from "../api.js";
import { usePages } from "../live.js";
import { setLocalKeys } from "../keys.js";
import { Diff } from "../diff.js";
import { Button, Empty, Head, Loading, More, Problem, say } from "../parts.js";
import { inline } from "../markdown.js";
import { VOICES, plural, shortDay } from "../words.js";
import { messageAddress } from "./entry-dialogs.js";
import { Area, Quoted } from "./entry.js";

const KINDS = { addition: "New", change: "Change of an entry", removal: "Forget an entry" };

function Editing({ item, sections, accept, leave }) {
  const [text, setText] = useState(item.text);
  const [section, setSection] = useState(item.section);
  const keys = (event) => {
    if (event.key === "Escape") leave();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) accept({ text, section });
    else return;
    event.preventDefault();
  };
  return html`<div class="stack" onKeyDown=${keys}><${Area} text=${text} change=${setText} label="What should be remembered" maxlength="5000" />
    <div class="row between">${item.kind === "addition" ? html`<label class="row"><span class="label">Section</span><select class="input" value=${section} onChange=${(event) => setSection(event.target.value)}>
        ${[...new Set([section, ...sections])].filter(Boolean).map((title) => html`<option value=${title}>${title}</option>`)}</select></label>` : html`<span></span>`}
      <div class="row"><${Button} kind="quiet" onClick=${leave}>Cancel</${Button}><${Button} kind="main-act" disabled=${!text.trim()} onClick=${() => accept({ text, section })}>Accept this</${Button}></div></div></div>`;
}

function Waiting({ item, about, current, chosen, editing, act }) {
  return html`<li class=${`card waiting-card ${current ? "current" : ""}`} id=${`waiting-${item.id}`}>
    <div class="row between"><label class="check"><input type="checkbox" checked=${chosen} onChange=${() => act.choose(item)} onFocus=${() => act.at(item)} /><span class="tag accent">${KINDS[item.kind]}</span>${item.voice && html`<span class="tag">${VOICES[item.voice]}</span>`}
        <span class="unseen">Choose: ${item.text}</span></label>
      <span class="soft small">${item.held ? `since ${shortDay(item.held)}` : ""}</span></div>
    ${editing ? html`<${Editing} item=${item} sections=${about.sections} accept=${(changes) => act.accept(item, changes)} leave=${() => act.edit(null)} />` : html`
      ${item.kind === "change" ? html`<${Diff} name=${item.section || "MEMORY.md"} before=${item.instead_of} after=${item.text} />` : html`<p class="waiting-text">${item.kind === "removal" ? html`<del>${inline(item.text)}</del>` : inline(item.text)}</p>`}
      <p class="soft small">Why it waits: ${item.why}.${item.section && item.kind === "addition" ? ` It would go to ${item.section}.` : ""}
        ${item.session && html` <a href=${messageAddress(item.session, item.messages[0])}>Where it was said</a>`}</p>
      ${item.said && item.said !== item.text && html`<${Quoted} label="What was said" entry=${{ text: item.said }} />`}
      ${item.nearest.length > 0 && html`<div class="stack tight"><span class="label">Nearest in the memory</span>${item.nearest.map(({ entry, likeness }) => html`
        <${Quoted} entry=${entry} label=${`${entry.section} · ${Math.round(likeness * 100)} % alike`} />`)}</div>`}
      <div class="row"><${Button} kind="small" icon="check" onClick=${() => act.accept(item)}>Accept</${Button}>
        ${item.kind !== "removal" && html`<${Button} kind="small" icon="pen" onClick=${() => act.edit(item.id)}>Edit and accept</${Button}>`}
        <${Button} kind="small danger" icon="close" onClick=${() => act.reject(item)}>Reject</${Button}></div>`}
  </li>`;
}

function Pile({ inbox, about }) {
  const [at, setAt] = useState(null);
  const [chosen, setChosen] = useState(new Set());
  const [editing, edit] = useState(null);
  const { items, reload } = inbox;
  const current = items.find((item) => item.id === at) ?? items[0];
  const focus = (item) => {
    if (!item) return;
    setAt(item.id);
    const card = document.getElementById(`waiting-${item.id}`);
    card?.querySelector("input")?.focus();
    card?.scrollIntoView({ block: "nearest" });
  };
  const step = (by) => () => focus(items[Math.max(0, Math.min(items.length - 1, (at === null && by > 0 ? -1 : items.indexOf(current)) + by))]);
  const settle = async (words, action, gone) => {
    const next = items[items.indexOf(gone) + 1] ?? items[items.indexOf(gone) - 1];
    try {
      const outcome = await action();
      say(outcome.result === "duplicate" ? "It was there already; it no longer waits." : words, { change: outcome.change });
      edit(null);
      setChosen((old) => new Set([...old].filter((id) => id !== gone.id)));
      await reload();
      if (next) setTimeout(() => focus(next));
    } catch (trouble) {
      say(trouble.message);
    }
  };
  const accept = (item, { text, section } = {}) =>
    settle("Accepted.", () => post(path`/inbox/${item.id}/accept`, { text: text && text !== item.text ? text : null, section: section && section !== item.section ? section : null }), item);
  const reject = (item) => settle("Rejected.", () => post(path`/inbox/${item.id}/reject`), item);
  const choose = (item) => setChosen((old) => {
    const next = new Set(old);
    if (!next.delete(item.id)) next.add(item.id);
    return next;
  });
  const many = async (deed) => {
    const { outcomes } = await post("/inbox/decisions", { accept: [], reject: [], [deed]: [...chosen] });
    const failed = outcomes.filter(({ problem }) => problem);
    say(failed.length ? `${failed.length} could not be done: ${failed[0].problem.detail}` : `${plural(outcomes.length, "text")} ${deed === "accept" ? "accepted" : "rejected"}.`);
    setChosen(new Set());
    await reload();
  };
  useEffect(() => setLocalKeys({
    j: step(1), k: step(-1),
    a: () => (chosen.size ? many("accept") : current && accept(current)),
    r: () => (chosen.size ? many("reject") : current && reject(current)),
    e: () => current && current.kind !== "removal" && edit(current.id),
    x: () => current && choose(current),
  }));
  const act = { accept, reject, choose, edit, at: (item) => setAt(item.id) };
  return html`<div class="stack">
    <div class="bulk row between" role="region" aria-label="Many at once"><label class="check"><input type="checkbox" checked=${chosen.size === items.length} onChange=${() => setChosen(chosen.size === items.length ? new Set() : new Set(items.map(({ id }) => id)))} />Choose all</label>
      <div class="row"><span class="soft small" role="status">${chosen.size ? `${chosen.size} chosen` : ""}</span><${Button} kind="small" disabled=${!chosen.size} onClick=${() => many("accept")}>Accept chosen</${Button}>
        <${Button} kind="small danger" disabled=${!chosen.size} onClick=${() => many("reject")}>Reject chosen</${Button}></div></div>
    <ul class="stack">${items.map((item) => html`<${Waiting} key=${item.id} item=${item} about=${about} current=${at !== null && item === current} chosen=${chosen.has(item.id)} editing=${editing === item.id} act=${act} />`)}</ul>
    <${More} pages=${inbox} />
    <p class="soft small">Keys: <kbd>j</kbd> <kbd>k</kbd> move, <kbd>a</kbd> accept, <kbd>e</kbd> edit, <kbd>r</kbd> reject, <kbd>x</kbd> choose.</p>
  </div>`;
}

export default function Inbox({ about }) {
  const inbox = usePages("/inbox", { nearest: 3, limit: 30 }, ["INBOX.md", "MEMORY.md"]);
  return html`<div class="page"><${Head} title="Inbox" lead="What an agent, a page or a conversation would like to have remembered. Nothing of it is in your memory before you say yes." />
    <${Problem} trouble=${inbox.trouble} retry=${inbox.reload} />
    ${inbox.items.length > 0 ? html`<${Pile} inbox=${inbox} about=${about} />` : !inbox.fresh ? html`<${Loading} />`
      : !inbox.trouble && html`<${Empty} icon="inbox" title="Nothing waits"><p>Words of web pages, tools and files, and facts that are in doubt, wait here for your yes or no.</p></${Empty}>`}</div>`;
}
