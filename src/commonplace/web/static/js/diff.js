// What is different between two texts, drawn by lines with the changed words marked.

import { html } from "./core.js";

// The longest common run of two lists (Myers, greedy, bounded), as [kind, item] pairs.
function align(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const same = (list) => list.map((item) => ["same", item]);
  return [...same(before.slice(0, start)), ...middle(old, now), ...same(end ? before.slice(-end) : [])];
}

function middle(old, now) {
  const plain = () => [...old.map((item) => ["gone", item]), ...now.map((item) => ["new", item])];
  if (!old.length || !now.length || old.length * now.length > 4e6) return plain();
  const width = now.length + 1;
  const table = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      table[i * width + j] = old[i] === now[j]
        ? table[(i + 1) * width + j + 1] + 1
        : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    }
  }
  const found = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      found.push(["same", old[i++]]);
      j += 1;
    } else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) found.push(["gone", old[i++]]);
    else found.push(["new", now[j++]]);
  }
  while (i < old.length) found.push(["gone", old[i++]]);
  while (j < now.length) found.push(["new", now[j++]]);
  return found;
}

const words = (line) => line.match(/\p{L}[\p{L}\p{N}'’-]*|\p{N}+|\s+|[^]/gu) ?? [];

// Two lines that stand for each other: what is only in one is marked, unless nothing is left in common.
function marked(old, now) {
  const pairs = align(words(old), words(now));
  const common = pairs.filter(([kind, word]) => kind === "same" && word.trim()).length;
  if (common * 3 < pairs.length - common) return [old, now];
  const side = (kind) => pairs.filter(([one]) => one === "same" || one === kind)
    .map(([one, word]) => (one === kind && word.trim() ? html`<mark>${word}</mark>` : word));
  return [side("gone"), side("new")];
}

function lines(before, after) {
  const split = (text) => (text === "" || text == null ? [] : text.replace(/\n$/, "").split("\n"));
  let [old, now] = [0, 0];
  const rows = align(split(before), split(after)).map(([kind, text]) => ({
    kind, text, old: kind === "new" ? null : (old += 1), now: kind === "gone" ? null : (now += 1),
  }));
  for (let at = 0; at < rows.length; at += 1) {
    if (rows[at].kind !== "gone") continue;
    let gone = at;
    while (rows[gone]?.kind === "gone") gone += 1;
    let fresh = gone;
    while (rows[fresh]?.kind === "new") fresh += 1;
    for (let k = 0; k < Math.min(gone - at, fresh - gone); k += 1) {
      [rows[at + k].shown, rows[gone + k].shown] = marked(rows[at + k].text, rows[gone + k].text);
    }
    at = fresh;
  }
  return rows;
}

// Unchanged lines are kept only near a change.
function folded(rows, around = 2) {
  const near = rows.map(() => false);
  rows.forEach((row, at) => {
    if (row.kind !== "same") for (let k = at - around; k <= at + around; k += 1) if (k in near) near[k] = true;
  });
  const shown = [];
  let hidden = 0;
  rows.forEach((row, at) => {
    if (!near[at]) hidden += 1;
    else {
      if (hidden) shown.push({ kind: "gap", hidden });
      hidden = 0;
      shown.push(row);
    }
  });
  if (hidden && shown.length) shown.push({ kind: "gap", hidden });
  return shown;
}

const SIGNS = { gone: "−", new: "+", same: "" };
const SPOKEN = { gone: "removed: ", new: "added: ", same: "" };

function Line({ row }) {
  if (row.kind === "gap") return html`<li class="diff-gap">${row.hidden} unchanged ${row.hidden === 1 ? "line" : "lines"}</li>`;
  return html`<li class=${`diff-line ${row.kind}`}>
    <span class="at num">${row.now ?? row.old}</span>
    <span class="sign" aria-hidden="true">${SIGNS[row.kind]}</span>
    <span class="what"><span class="unseen">${SPOKEN[row.kind]}</span>${row.shown ?? row.text}</span>
  </li>`;
}

export function Diff({ name, before, after }) {
  const rows = folded(lines(before, after));
  const shown = rows.slice(0, 600);
  return html`<section class="diff" aria-label=${`What changes in ${name}`}>
    <div class="diff-name">${name}${before == null ? " (new)" : after == null ? " (removed)" : ""}</div>
    ${rows.length ? html`<ol>${shown.map((row) => html`<${Line} row=${row} />`)}</ol>` : html`<p class="diff-gap">No line is different.</p>`}
    ${rows.length > shown.length && html`<p class="diff-gap">${rows.length - shown.length} more lines are not drawn.</p>`}
  </section>`;
}
