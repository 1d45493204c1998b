// Health and settings: what doctor and the statistics say, the index, tokens, plots, settings and books.

import { html, useEffect, useState } from "../core.js";
import { path, post, remove } from "../api.js";
import { useJob, useLoad } from "../live.js";
import { Button, Head, JobProgress, Loaded, Note, Problem, say } from "../parts.js";
import { Bars, Gauge, Line } from "../plots.js";
import { doubtName, number, plural, size } from "../words.js";

const DEEDS = [
  { name: "saved", words: "saved", tone: 1 }, { name: "revised", words: "changed", tone: 3 }, { name: "by_hand", words: "edited by hand", tone: 5 },
  { name: "held", words: "held in the inbox", tone: 2 }, { name: "forgotten", words: "forgotten or rejected", tone: 4 }, { name: "other", words: "the rest", tone: 6 },
];
const LEVELS = { ok: ["good", "fine"], note: ["", "note"], warning: ["warn", "warning"], error: ["bad", "error"] };

function Doctor() {
  const doctor = useLoad("/doctor", {}, false);
  return html`<section class="stack" aria-labelledby="doctor"><div class="row between"><h2 id="doctor">Is everything in order?</h2><${Button} kind="small" busy=${doctor.loading && doctor.data !== null} onClick=${doctor.reload}>Look again</${Button}></div>
    <${Loaded} of=${doctor} words="Every file is being looked at …">${({ healthy, findings }) => html`<${Note} kind=${healthy ? "good" : "bad"} role="status"><p>${healthy ? "Yes. Your files, the history and the index are sound." : "Something needs your attention."}</p></${Note}>
      <details open=${!healthy}><summary>${plural(findings.length, "check")}</summary><ul class="checks">${findings.map((one) => html`<li><span class=${`tag ${LEVELS[one.level]?.[0] ?? ""}`}>${LEVELS[one.level]?.[1] ?? one.level}</span>
        <span class="grow first-letter">${one.message || one.check}${one.fix && html`<span class="soft"> ${one.fix}</span>`}</span></li>`)}</ul></details>`}</${Loaded}></section>`;
}

function Numbers() {
  const loaded = useLoad("/statistics");
  return html`<section class="stack" aria-labelledby="numbers"><h2 id="numbers">In numbers</h2><${Loaded} of=${loaded}>${(stats) => html`<dl class="tiles">${[
    ["Entries", stats.entries], ["Sections", stats.sections], ["Days", stats.logs], ["Conversations", stats.sessions], ["Waiting", stats.waiting], ["Changes", stats.changes], ["Backups", stats.backups], ["Your files", size(stats.bytes)],
  ].map(([name, value]) => html`<div class="tile"><dt>${name}</dt><dd class="num">${typeof value === "number" ? number(value) : value}</dd></div>`)}</dl>`}</${Loaded}></section>`;
}

// Few colours can be told apart: what is rare or alike goes together.
function deeds({ day, counts }) {
  const { saved = 0, accepted = 0, revised = 0, moved = 0, protected: kept = 0, by_hand = 0, held = 0, forgotten = 0, rejected = 0, undone = 0, restored = 0, compacted = 0 } = counts;
  return { day, saved: saved + accepted, revised: revised + moved + kept, by_hand, held, forgotten: forgotten + rejected, other: undone + restored + compacted };
}

const GATE = [
  { name: "saved", words: "saved", tone: 1 }, { name: "there", words: "there already, or nearly", tone: 3 },
  { name: "held", words: "held in the inbox", tone: 2 }, { name: "refused", words: "refused", tone: 4 },
];
const BECAME = { known: "there", alike: "there", held: "held", refused: "refused" };

// What came to the gate on each day: what it let through stands in the history, the rest is counted by rule.
function gate({ deeds, gate: kept }) {
  const days = new Map();
  const at = (day) => days.get(day) ?? days.set(day, { day, saved: 0, there: 0, held: 0, refused: 0 }).get(day);
  for (const { day, counts } of deeds) if (counts.saved) at(day).saved += counts.saved;
  for (const { day, counts } of kept) for (const [name, count] of Object.entries(counts)) at(day)[BECAME[name.split(" ")[0]] ?? "refused"] += count;
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

// The rules that refused something, the busiest first.
function refusals({ gate: kept }) {
  const rules = new Map();
  for (const { counts } of kept) for (const [name, count] of Object.entries(counts)) {
    const [became, rule] = name.split(" ");
    if (became === "refused") rules.set(rule, (rules.get(rule) ?? 0) + count);
  }
  return [...rules].sort((a, b) => b[1] - a[1]).map(([rule, count]) => `${doubtName(rule).toLowerCase()} ${number(count)}`).join(", ");
}

function Plots({ about }) {
  const loaded = useLoad("/statistics/timeline", { days: 365 });
  return html`<section class="stack" aria-labelledby="time"><h2 id="time">Over time</h2><${Loaded} of=${loaded}>${(line) => html`<div class="plots">
    <div class="card stack tight"><h3>Entries</h3>${line.entries.length ? html`<${Line} label="Entries over time" points=${line.entries} today=${about.today} />` : html`<p class="soft">It begins with the first change that is made here.</p>`}</div>
    <div class="card stack tight"><h3>Conversations</h3>${line.sessions.length ? html`<${Bars} label="Conversations over time" points=${line.sessions} names=${[{ name: "count", words: "conversations", tone: 3 }]} today=${about.today} />` : html`<p class="soft">None yet.</p>`}</div>
    <div class="card stack tight"><h3>What happened to entries</h3>${line.deeds.length ? html`<${Bars} label="What happened to entries over time" points=${line.deeds.map(deeds)} names=${DEEDS} today=${about.today} />` : html`<p class="soft">It begins with the first change that is made here.</p>`}</div>
    <div class="card stack tight"><h3>What the gate did</h3>${gate(line).length ? html`<${Bars} label="What the gate did over time" points=${gate(line)} names=${GATE} today=${about.today} />` : html`<p class="soft">Nothing came to it yet.</p>`}
      ${refusals(line) && html`<p class="soft small">Refused: ${refusals(line)}. Only the number is kept, never the text.</p>`}</div>
    <div class="card stack tight"><h3>Size against its budget</h3><${Gauge} label="In a prompt" value=${line.size.tokens} limit=${line.size.budget} unit="tokens" />
      <${Gauge} label="Until compaction is due" value=${line.size.characters} limit=${line.size.compact_at} unit="characters" /></div></div>`}</${Loaded}></section>`;
}

function Index() {
  const loaded = useLoad("/index", {}, false);
  const [job, set] = useJob("reindex");
  useEffect(() => {
    if (job?.state === "done") loaded.reload();
  }, [job?.state]);
  const rebuild = () => post("/jobs", { kind: "reindex" }).then(set).catch((trouble) => say(trouble.message));
  return html`<section class="stack" aria-labelledby="index"><h2 id="index">Search index</h2><${Loaded} of=${loaded}>${(index) => html`<div class="card stack">
    ${index.trouble && html`<${Note} kind="warn"><p>${index.trouble}</p></${Note}>`}
    <p>${plural(index.chunks, "text")} can be searched by words, ${number(index.vectors_known)} of them by meaning${index.model ? html` (model <code>${index.model}</code>)` : ""}. The index is made from your files and can be made again at any time.</p>
    ${job?.state === "running" ? html`<${JobProgress} job=${job} words="Making the index again" cancel=${() => remove(path`/jobs/${job.id}`).then(set).catch(() => {})} />`
      : html`<div class="row"><${Button} onClick=${rebuild}>Make the index again</${Button}><span role="status" class="soft">${job?.state === "done" ? "Done." : job?.state === "cancelled" ? "Cancelled." : ""}</span></div>`}
    ${job?.state === "failed" && html`<${Problem} trouble=${{ message: job.problem?.detail }} />`}</div>`}</${Loaded}></section>`;
}

function Usage({ about }) {
  const loaded = useLoad("/usage", {}, false);
  return html`<section class="stack" aria-labelledby="tokens"><h2 id="tokens">Tokens spent</h2><${Loaded} of=${loaded}>${(usage) => html`<div class="card stack">
    <p>${number(usage.today)} today${usage.cap ? `, of at most ${number(usage.cap)} a day` : ""}. Search, the gate and recall need none.</p>
    ${usage.days.length > 0 && html`<${Bars} label="Tokens spent over time" points=${usage.days} names=${[{ name: "input", words: "read", tone: 3 }, { name: "output", words: "written", tone: 2 }]} today=${about.today} />`}</div>`}</${Loaded}></section>`;
}

const BROUGHT = [
  ["conversations", "conversation"], ["messages", "message"], ["taken", "entry", "entries"], ["logs", "block in the days", "blocks in the days"],
  ["held", "entry in the inbox", "entries in the inbox"], ["merged", "entry that was there already", "entries that were there already"], ["restored", "file of an earlier book", "files of an earlier book"],
];

function Brought({ report, go }) {
  const parts = BROUGHT.filter(([name]) => report[name]).map(([name, ...words]) => plural(report[name], ...words));
  const before = report.known + report.known_messages + report.known_logs;
  return html`<${Note} kind=${parts.length ? "good" : ""} role="status"><p>${parts.length ? `${report.dry_run ? "Would come in" : "Came in"}: ${parts.join(", ")}.` : "There was nothing new to bring in."}${before ? ` ${number(before)} came in before.` : ""}</p>
    ${report.undated > 0 && html`<p class="soft small">${number(report.undated)} have no date in the source, and none was made up.</p>`}
    ${report.skipped.map(({ why, count, places }) => html`<p class="soft small">Left out, ${number(count)}: ${why} (${places.join(", ")}${count > places.length ? " …" : ""})</p>`)}
    ${go}</${Note}>`;
}

// What other programs kept. It is looked at before anything is written, and may be stopped and begun again.
function Import() {
  const [job, set] = useJob("import");
  const [place, setPlace] = useState("");
  const [trouble, setTrouble] = useState(null);
  const begin = (path, dry_run) => post("/jobs", { kind: "import", path, dry_run }).then((begun) => { setTrouble(null); set(begun); }).catch(setTrouble);
  const report = job?.state === "done" ? job.result : null;
  return html`<section class="stack" aria-labelledby="import"><h2 id="import" tabindex="-1">Bring in from elsewhere</h2><div class="card stack">
    <p>Conversations and memories from an export of ChatGPT or Claude, from Claude Code, Codex, mem0, basic-memory, Obsidian, any Markdown, or Commonplace itself. Nothing comes in twice.</p>
    ${job?.state === "running" ? html`<${JobProgress} job=${job} words="Bringing it in" cancel=${() => remove(path`/jobs/${job.id}`).then(set).catch(() => {})} />` : html`
    <form class="row asking" onSubmit=${(event) => { event.preventDefault(); if (place.trim()) begin(place.trim(), true); }}>
      <label class="field grow"><span>A file or folder on this machine</span><input class="input" value=${place} maxlength="4096" placeholder="~/Downloads/conversations.zip" spellcheck="false" onInput=${(event) => setPlace(event.target.value)} /></label>
      <button class="btn" disabled=${!place.trim()}>See what would come in</button></form>`}
    <${Problem} trouble=${trouble} />
    ${job?.state === "failed" && html`<${Problem} trouble=${{ message: job.problem?.detail, hint: job.problem?.hint }} />`}
    ${job?.state === "cancelled" && html`<p class="soft" role="status">Stopped. What had come in stays; bring it in again to go on.</p>`}
    ${report && html`<${Brought} report=${report} go=${report.dry_run && html`<div><${Button} kind="main-act small" onClick=${() => begin(report.path, false)}>Bring it in</${Button}></div>`} />`}
  </div></section>`;
}

const written = (value) => (Array.isArray(value) ? value.join(", ") || "none" : value === null || value === "" ? "none" : typeof value === "object" ? JSON.stringify(value) : String(value));

function Setting({ one }) {
  return html`<li><div class="row between"><code>${one.key}</code><span class="row"><code class="value">${one.secret ? "•••" : written(one.value)}</code>
    <span class=${`tag ${one.origin === "default" ? "" : "accent"}`}>${one.origin}</span></span></div><p class="soft small">${one.meaning}</p></li>`;
}

// What somebody set comes first; the defaults are there for whoever asks.
function Settings() {
  const loaded = useLoad("/settings", {}, false);
  const [filter, setFilter] = useState("");
  const [all, setAll] = useState(false);
  return html`<section class="stack" aria-labelledby="settings"><h2 id="settings">Settings</h2><${Loaded} of=${loaded}>${({ items }) => {
    const own = items.filter((one) => one.origin !== "default");
    const shown = filter ? items.filter((one) => `${one.key} ${one.meaning}`.toLowerCase().includes(filter.toLowerCase())) : all ? items : own;
    return html`<p class="soft">They stand in <code>commonplace.toml</code> of the book and in your own settings file; <code>commonplace config set KEY VALUE</code> changes one, from the next start of <code>commonplace serve</code> on.</p>
      <label class="big-input small-one"><span class="unseen">Show only settings with these words</span><input class="input plain" type="search" placeholder="Look for a setting" value=${filter} onInput=${(event) => setFilter(event.target.value)} /></label>
      ${shown.length > 0 ? html`<ul class="card flush rows settings">${shown.map((one) => html`<${Setting} key=${one.key} one=${one} />`)}</ul>` : html`<p class="soft">${filter ? "No setting has these words." : "Every setting has its default."}</p>`}
      ${!filter && html`<div><${Button} onClick=${() => setAll(!all)}>${all ? "Show only what was set" : `Show all ${items.length} settings`}</${Button}></div>`}`;
  }}</${Loaded}></section>`;
}

function Books({ book }) {
  const loaded = useLoad("/books", {}, false);
  // Each book has an address of its own, so that this window stays with the book that it shows.
  const open = (name) => post("/books/open", { name }).then(({ link }) => location.assign(link)).catch((trouble) => say(trouble.message));
  const here = { name: book.name ?? book.path.split(/[/\\]/).pop(), path: book.path, open: true };
  return html`<section class="stack" aria-labelledby="books"><h2 id="books" tabindex="-1">Books</h2><${Loaded} of=${loaded}>${({ items, can_open }) => html`<ul class="card flush rows">
    ${(items.some(({ open }) => open) ? items : [here, ...items]).map((one) => html`<li class="book-row"><span class="grow"><strong>${one.name}</strong> <span class="soft small">${one.path}</span>${one.problem && html`<span class="small"> ${one.problem}</span>`}</span>
    ${one.open && html`<span class="tag accent">open here</span>`}${one.default && html`<span class="tag">default</span>`}
    ${can_open && !one.open && !one.problem && html`<${Button} kind="small" label=${`Open ${one.name}`} onClick=${() => open(one.name)}>Open</${Button}>`}</li>`)}</ul>
    <p class="soft small">${can_open ? "Each book opens at an address of its own, as long as Commonplace runs." : html`Another one opens with <code>commonplace serve --book NAME</code> where Commonplace runs.`} A new one begins with <code>commonplace init --book FOLDER</code>.</p>`}</${Loaded}></section>`;
}

export default function Health({ about }) {
  // What stands above a part that an address names may still be loading: stay with it until somebody moves.
  useEffect(() => {
    const wanted = document.getElementById(location.hash.slice(1));
    if (!wanted) return undefined;
    const following = new ResizeObserver(() => wanted.scrollIntoView());
    const stop = () => following.disconnect();
    for (const moved of ["wheel", "pointerdown", "keydown"]) addEventListener(moved, stop, { once: true });
    following.observe(document.body);
    wanted.focus({ preventScroll: true });
    return stop;
  }, []);
  return html`<div class="page wide"><${Head} title="Health & settings" /><div class="stack loose">
    <${Doctor} /><${Numbers} /><${Plots} about=${about} /><${Index} /><${Usage} about=${about} /><${Import} /><${Books} book=${about.book} /><${Settings} />
    <p class="soft small">Commonplace ${about.version}. For programs: <a href="/api/docs">the HTTP API</a>.</p></div></div>`;
}
