// Tidy up: what is doubtful in the memory, to put right one by one, and compaction as a plan that one may accept in part.

import { html, useState } from "../core.js";
import { path, post, remove } from "../api.js";
import { useChanges, useJob } from "../live.js";
import { Diff } from "../diff.js";
import { Button, Empty, Head, Icon, JobProgress, Note, Problem, Tabs, say } from "../parts.js";
import { inline } from "../markdown.js";
import { STEPS, doubtName, number, plural } from "../words.js";
import { forget } from "./entry.js";

const tabs = (open) => html`<${Tabs} label="Tidy up" tabs=${[{ words: "Check", to: "/tidy", open: open === "check" }, { words: "Compact", to: "/tidy/compact", open: open === "compact" }]} />`;

const start = async (body, set) => {
  try {
    set(await post("/jobs", body));
  } catch (trouble) {
    say(trouble.message);
  }
};
const cancel = (job, set) => remove(path`/jobs/${job.id}`).then(set).catch((trouble) => say(trouble.message));
const failed = (job) => job?.state === "failed" && html`<${Problem} trouble=${{ message: job.problem?.detail ?? "It did not work.", hint: job.problem?.hint }} />`;

function Score({ value }) {
  const around = 2 * Math.PI * 52;
  return html`<svg class="ring" viewBox="0 0 120 120" role="img" aria-label=${`Score ${value} of 100`}><circle class="track" cx="60" cy="60" r="52" />
    <circle class=${`arc ${value >= 85 ? "good" : value >= 60 ? "fair" : "poor"}`} cx="60" cy="60" r="52" stroke-dasharray=${`${(around * value) / 100} ${around}`} transform="rotate(-90 60 60)" />
    <text x="60" y="60" class="ring-value" aria-hidden="true">${value}</text><text x="60" y="80" class="ring-of" aria-hidden="true">of 100</text></svg>`;
}

// A text that is doubtful, and what can be done with it.
function Place({ place, again }) {
  const away = async () => {
    await forget({ id: place.entry });
    again();
  };
  return html`<div class="stack tight"><blockquote class="quoted"><span class="soft small">${place.file}, line ${number(place.line)}</span><p>${inline(place.text)}</p></blockquote>
    ${place.entry && html`<div class="row"><a class="btn small" href=${`/memory?entry=${place.entry}`} aria-label=${`Open: ${place.text}`}><${Icon} name="pen" />Open</a>
      <${Button} kind="small danger" icon="trash" label=${`Forget: ${place.text}`} onClick=${away}>Forget</${Button}></div>`}</div>`;
}

function Doubt({ doubt, mend, again }) {
  return html`<li class="card stack"><div class="row"><span class=${`tag ${doubt.kind === "secret" ? "bad" : "warn"}`}>${doubtName(doubt.kind)}</span>
      <span class="grow small">${doubt.why}${!doubt.fix.startsWith("commonplace ") && html` <span class="soft">${doubt.fix}</span>`}</span>
      ${!doubt.certain && html`<span class="soft small nowrap">${Math.round(doubt.certainty * 100)} % sure</span>`}
      ${doubt.certain && html`<${Button} kind="small main-act" onClick=${() => mend({ entry: doubt.place.entry })}>Put it right</${Button}>`}</div>
    <div class=${doubt.other ? "two" : ""}><${Place} place=${doubt.place} again=${again} />${doubt.other && html`<${Place} place=${doubt.other} again=${again} />`}</div></li>`;
}

function Check() {
  const [job, set] = useJob("audit");
  const [stale, setStale] = useState(false);
  const [drawn, setDrawn] = useState(40);
  useChanges((change) => (!change.files.length || change.files.includes("MEMORY.md")) && setStale(true));
  const again = () => {
    setStale(false);
    return start({ kind: "audit" }, set);
  };
  const mend = async (wish) => {
    try {
      const done = await post("/audit/mend", wish);
      say(done.backup ? "Put right. A backup was made before." : "Put right.", { change: done.change });
      await again();
    } catch (trouble) {
      say(trouble.message);
    }
  };
  const found = job?.state === "done" ? job.result : null;
  const certain = found?.doubts.filter((one) => one.certain) ?? [];
  return html`<div class="page wide"><${Head} title="Tidy up" lead="Looks for what is said twice, contradicts itself, is out of date or should not be there.">${tabs("check")}</${Head}>
    <div class="stack">
      ${failed(job)}
      ${job?.state === "running" ? html`<${JobProgress} job=${job} words="Looking through your memory" cancel=${() => cancel(job, set)} />`
        : !found ? html`<${Empty} icon="tidy" title="Have your memory looked through"><p>It happens on this machine and changes nothing. You decide on each finding.</p><${Button} kind="main-act" onClick=${again}>Check my memory</${Button}></${Empty}>`
        : html`<div class="card audit-head"><${Score} value=${found.score} /><div class="stack grow">
            <div><h2>${found.doubts.length === 0 ? "Nothing doubtful was found" : plural(found.doubts.length, "finding")}</h2><p class="soft">${plural(found.items, "text")} of the memory and the days looked at.</p></div>
            <div class="row">${Object.entries(found.counts).filter(([, count]) => count).map(([kind, count]) => html`<span class="tag">${doubtName(kind)}: ${count}</span>`)}</div>
            <div class="row">${certain.length > 0 && html`<${Button} kind="main-act" onClick=${() => mend({})}>Put right what is certain (${certain.length})</${Button}>`}<${Button} onClick=${again}>Check again</${Button}></div></div></div>
          ${stale && html`<${Note} role="status">Your memory has changed since this check. <button type="button" class="btn small" onClick=${again}>Check again</button></${Note}>`}
          ${found.trouble && html`<${Note} kind="warn">${found.trouble}</${Note}>`}
          <ul class="stack">${found.doubts.slice(0, drawn).map((doubt) => html`<${Doubt} key=${doubt.id} doubt=${doubt} mend=${mend} again=${again} />`)}</ul>
          ${found.doubts.length > drawn && html`<div><${Button} onClick=${() => setDrawn(drawn + 100)}>Show more (${found.doubts.length - drawn})</${Button}></div>`}`}
    </div></div>`;
}

function Step({ step, chosen, flip }) {
  return html`<li class="card"><label class="check step"><input type="checkbox" checked=${chosen} onChange=${flip} /><span class="tag accent">${STEPS[step.kind]}</span><span class="grow">${step.reason}</span></label>
    <div class="stack tight step-body">${step.kind === "reword" && step.entries.length === 1 ? html`<${Diff} name=${step.entries[0].section} before=${step.entries[0].plain} after=${step.text} />` : html`
      ${step.entries.map((entry) => html`<p class=${step.kind === "move" || step.kind === "join" ? "" : "gone-text"}><span class="soft small">${entry.section}</span> ${inline(entry.plain)}</p>`)}
      ${step.text && step.kind !== "move" && html`<p class="new-text"><span class="soft small">${step.section}</span> ${inline(step.text)}</p>`}
      ${step.kind === "move" && html`<p><${Icon} name="right" /> ${step.section}</p>`}`}</div></li>`;
}

function Plan({ plan, again }) {
  const [left, setLeft] = useState(new Set());
  const [done, setDone] = useState(null);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState(null);
  const [whole, setWhole] = useState(false);
  const wanted = plan.steps.filter((step) => !left.has(step.id));
  const flip = (id) => setLeft((old) => {
    const next = new Set(old);
    if (!next.delete(id)) next.add(id);
    return next;
  });
  const apply = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      const said = await post(path`/compactions/${plan.plan}`, { steps: left.size ? wanted.map(({ id }) => id) : null });
      setDone(said);
      if (said.change) say("Compacted. A backup was made before.", { change: said.change });
    } catch (problem) {
      setTrouble(problem);
    }
    setBusy(false);
  };
  if (done && !done.change) return html`<div class="stack"><${Note} kind="warn" role="status"><p>${done.skipped ?? "Nothing was changed."}</p></${Note}><div><${Button} onClick=${again}>Make another plan</${Button}></div></div>`;
  if (done) {
    return html`<div class="stack"><${Note} kind="good" role="status"><p>${plural(done.before, "entry", "entries")} became ${number(done.after)}. A backup was made, and the change can be undone.</p></${Note}>
      ${done.findings.map((words) => html`<p class="soft small">${words}</p>`)}<${Diff} name="MEMORY.md" before=${done.diff.before} after=${done.diff.after} />
      <div class="row"><a class="btn" href=${`/history/${done.change}`}><${Icon} name="undo" />See or undo it</a><${Button} onClick=${again}>Make another plan</${Button}></div></div>`;
  }
  if (!plan.steps.length) {
    return html`<div class="stack"><${Note} kind="good"><p>${plan.skipped ?? "There is nothing to compact."}</p></${Note}>${plan.findings.map((words) => html`<p class="soft small">${words}</p>`)}<div><${Button} onClick=${again}>Look again</${Button}></div></div>`;
  }
  return html`<div class="stack"><div class="card row between sticky"><div><h2>${plural(plan.before, "entry", "entries")} would become ${number(plan.after)}</h2><p class="soft small">${plan.by_model ? "Proposed by the model, proven by code: every entry, name, number and “not” is accounted for." : "Found without a model."} Nothing is changed yet.</p></div>
      <div class="row"><${Button} onClick=${() => setWhole(!whole)} aria-pressed=${whole}>Show the whole difference</${Button}><${Button} kind="main-act" busy=${busy} disabled=${!wanted.length} onClick=${apply}>${left.size ? `Accept ${wanted.length} of ${plan.steps.length}` : plan.steps.length === 1 ? "Accept it" : `Accept all ${plan.steps.length}`}</${Button}></div></div>
    <${Problem} trouble=${trouble} />
    ${whole && html`<${Diff} name="MEMORY.md" before=${plan.diff.before} after=${plan.diff.after} />`}
    <ol class="stack">${plan.steps.map((step) => html`<${Step} key=${step.id} step=${step} chosen=${!left.has(step.id)} flip=${() => flip(step.id)} />`)}</ol>
    ${plan.findings.length > 0 && html`<details class="card"><summary>Left as it is (${plan.findings.length})</summary><ul class="stack tight">${plan.findings.map((words) => html`<li class="small">${words}</li>`)}</ul></details>`}</div>`;
}

function Compact({ about }) {
  const [job, set] = useJob("compact");
  const [fresh, setFresh] = useState(false);
  const run = (model) => {
    setFresh(false);
    return start({ kind: "compact", model }, set);
  };
  const plan = job?.state === "done" && !fresh ? job.result : null;
  return html`<div class="page wide"><${Head} title="Tidy up" lead="Makes the memory shorter without losing anything: first a plan, then your yes.">${tabs("compact")}</${Head}>
    <div class="stack">${failed(job)}${job?.state === "cancelled" && html`<${Note} role="status">Cancelled. Nothing was changed.</${Note}>`}
      ${job?.state === "running" ? html`<${JobProgress} job=${job} words="Making a plan" cancel=${() => cancel(job, set)} />`
        : plan ? html`<${Plan} key=${plan.plan} plan=${plan} again=${() => setFresh(true)} />`
        : html`<${Empty} icon="tidy" title="Make a plan"><p>${about.model.configured ? `The model ${about.model.name ?? ""} proposes what to merge and reword; code proves that no entry, name, number or “not” is lost.` : html`No chat model is chosen, so only exact repetitions are found. Choose one with <code>commonplace setup</code>.`} Nothing changes before you accept it.</p>
          <div class="row">${about.model.configured && html`<${Button} kind="main-act" onClick=${() => run(true)}>Plan with the model</${Button}>`}<${Button} onClick=${() => run(false)}>Plan without a model</${Button}></div></${Empty}>`}
    </div></div>`;
}

export default function Tidy({ parts, about }) {
  return parts[0] === "compact" ? html`<${Compact} about=${about} />` : html`<${Check} />`;
}
