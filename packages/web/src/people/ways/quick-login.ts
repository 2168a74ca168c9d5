// Quick login ([R019], X54): the control program on this computer vouches for the account that it is signed in with.
import { ClientType, controlAddress, controlWaitMs, controlWordKey } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'
import { stored } from '../../core/storage/storage.ts'
import { enter } from './sign-in-frame.tsx'

/** Signs in with a key of the program. Resolves to what is missing, if something is. */
export async function enterByProgram(redirect: string): Promise<'noProgram' | 'noAccount' | undefined> {
  const loginKey = await keyOfProgram()
  if (loginKey === undefined) return 'noProgram'
  if (loginKey === '') return 'noAccount'
  await api.login3ByLoginKey({ serverId: 0, clientType: ClientType.web, loginKey }, { quiet: true })
  enter(redirect)
  return undefined
}

/** The single-use key that the program gives this browser; empty if it gives none, undefined if there is no program. */
function keyOfProgram(): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const socket = new WebSocket(controlAddress)
  const timer = setTimeout(() => socket.close(), controlWaitMs)
  let found: string | undefined
  socket.onopen = () => {
    found = ''
    socket.send(JSON.stringify({ option: 'login_key', token: stored(controlWordKey) ?? '' }))
  }
  socket.onmessage = ({ data }) => {
    found = keyIn(String(data))
    socket.close()
  }
  socket.onerror = () => socket.close()
  socket.onclose = () => {
    clearTimeout(timer)
    resolve(found)
  }
  return promise
}

function keyIn(text: string): string {
  try {
    const told = JSON.parse(text) as Readonly<Record<string, unknown>> | null
    return typeof told?.['loginKey'] === 'string' ? told['loginKey'] : ''
  } catch {
    return ''
  }
}
