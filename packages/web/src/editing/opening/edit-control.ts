/*
 * The edits of local programs, as the control program tells them at its edit socket ([R361], [R176]): a handshake with
 * the word of this browser, then commands about one file each. The connection is there while somebody looks.
 */
import { editControlAddress, type LocalConflictAnswer, type LocalEditView } from '@cloudoc/domain'
import { createStore } from 'zustand'
import { sessionStore } from '../../core/session/session.ts'
import { pageWord } from './control-program.ts'

/** The edits of this account; undefined while the program does not answer or does not know this browser. */
export const localEditsStore = createStore<{ readonly edits: readonly LocalEditView[] | undefined }>(() => ({
  edits: undefined,
}))

type Message = Readonly<Record<string, unknown>>

export type EditCommand =
  | { readonly command: 'submitEdit' | 'unlockFile' }
  | { readonly command: 'discardEdit'; readonly confirmed: true }
  | { readonly command: 'resolveConflict'; readonly answer: LocalConflictAnswer }

let socket: WebSocket | undefined
let lastId = 0
const waiting = new Map<number, (result: number) => void>()

/** Follows the edits until the returned function is called. */
export function followLocalEdits(): () => void {
  const { session } = sessionStore.getState()
  if (session?.setting.local_edit !== true) return () => undefined
  const open = new WebSocket(editControlAddress)
  socket = open
  const who = { code: session.setting.server_code, account: session.account.account }
  open.onopen = () => send({ command: 'handshake', client_type: 'web', ...who, token: pageWord() })
  open.onmessage = ({ data }) => hear(data)
  const end = (): void => {
    if (socket !== open) return
    socket = undefined
    localEditsStore.setState({ edits: undefined })
    for (const answered of waiting.values()) answered(0)
    waiting.clear()
  }
  open.onclose = end
  open.onerror = end
  return () => {
    end()
    open.close()
  }
}

/** Sends a command about a file; resolves to its result code, 0 without an answer. */
export function commandEdit(fileId: number, command: EditCommand): Promise<number> {
  const { session } = sessionStore.getState()
  if (socket === undefined || session === undefined) return Promise.resolve(0)
  lastId += 1
  const id = lastId
  const { promise, resolve } = Promise.withResolvers<number>()
  waiting.set(id, resolve)
  send({ ...command, id, fileId, code: session.setting.server_code, account: session.account.account })
  return promise
}

function send(message: Message): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

function hear(data: unknown): void {
  let message: Message
  try {
    message = JSON.parse(String(data)) as Message
  } catch {
    return
  }
  const { edits, id, result } = message
  if (Array.isArray(edits)) localEditsStore.setState({ edits: edits as LocalEditView[] })
  if (typeof id === 'number' && typeof result === 'number') {
    waiting.get(id)?.(result)
    waiting.delete(id)
  }
}
