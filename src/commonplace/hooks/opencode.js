// Commonplace in OpenCode: tells the memory what is said, and adds what it recalls to the prompt.
import { spawn } from "node:child_process"

const COMMAND = ["commonplace"]

function tell(payload) {
  return new Promise((resolve) => {
    const [program, ...words] = COMMAND
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"] })
    let out = ""
    child.stdout.on("data", (data) => (out += data))
    child.on("error", () => resolve({}))
    child.on("close", () => {
      try {
        resolve(JSON.parse(out))
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

const textOf = (parts) => parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")

export const Commonplace = async ({ client, directory }) => {
  const common = (event, sessionID) => ({ event, sessionID, cwd: directory })
  const greeted = new Set()
  return {
    "chat.message": async (input, output) => {
      const parts = []
      if (!greeted.has(input.sessionID)) {
        greeted.add(input.sessionID)
        parts.push((await tell(common("session.created", input.sessionID))).additional_context)
      }
      const prompt = textOf(output.parts)
      parts.push((await tell({ ...common("chat.message", input.sessionID), prompt })).additional_context)
      const text = parts.filter(Boolean).join("\n\n")
      if (text) {
        const { sessionID, messageID } = output.parts[0] ?? { sessionID: input.sessionID, messageID: output.message.id }
        output.parts.push({ id: `prt_commonplace${Date.now()}`, sessionID, messageID, type: "text", text, synthetic: true })
      }
    },
    "experimental.session.compacting": async (input) => {
      await tell(common("session.compacting", input.sessionID))
    },
    event: async ({ event }) => {
      const sessionID = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.idle" && sessionID) {
        const { data } = await client.session.messages({ path: { id: sessionID } })
        const last = (data ?? []).filter((message) => message.info.role === "assistant").at(-1)
        if (last) await tell({ ...common("session.idle", sessionID), text: textOf(last.parts) })
      } else if (event.type === "session.deleted" && sessionID) {
        await tell(common("session.deleted", sessionID))
      }
    },
  }
}
