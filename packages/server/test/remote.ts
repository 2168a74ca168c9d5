// A person at a server that runs in its own process: calls over the network, and the push channel.
import { once } from 'node:events'
import {
  type CallAnswer,
  type CallInput,
  type CallName,
  calls,
  type Fields,
  isFrame,
  PUSH_PATH,
} from '@cloudoc/contract'
import { type CodeName, codeOf, codes } from '@cloudoc/domain'
import { WebSocket } from 'ws'
import { Listener, requestFor } from './harness.ts'

interface Sent {
  readonly status: number
  readonly code: CodeName | 'success' | undefined
  readonly data: unknown
}

async function send(origin: string, name: CallName, input: Fields, token?: string): Promise<Sent> {
  const { method, url, headers, payload } = requestFor(name, input, token)
  const response = await fetch(`${origin}${url}`, {
    method: method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(payload === undefined ? {} : { body: payload as string }),
  })
  const body = (await response.json()) as { result: number; data: unknown }
  const code = body.result === codes.success.code ? 'success' : codeOf(body.result)
  return { status: response.status, code, data: body.data }
}

/** One session; each call may go to a different server. */
export class Remote {
  readonly userId: number
  readonly token: string

  private constructor(userId: number, token: string) {
    this.userId = userId
    this.token = token
  }

  static async signIn(origin: string, userName: string, password: string, clientType = 6): Promise<Remote> {
    const { code, data } = await send(origin, 'login3', { userName, password, clientType })
    if (code !== 'success') throw new Error(`${userName} cannot sign in: ${code}`)
    const { accessToken, accountInfo } = data as { accessToken: string; accountInfo: { userId: number } }
    return new Remote(accountInfo.userId, accessToken)
  }

  call<N extends CallName>(origin: string, name: N, input: CallInput<N>): Promise<CallAnswer<N>>
  async call(origin: string, name: CallName, input: Fields): Promise<unknown> {
    const { code, data } = await send(origin, name, input, this.token)
    if (code !== 'success') throw new Error(`${name} was refused: ${code}`)
    return data
  }

  /** Makes a call; returns its outcome. */
  outcome<N extends CallName>(origin: string, name: N, input: CallInput<N>): Promise<Sent['code']>
  async outcome(origin: string, name: CallName, input: Fields): Promise<Sent['code']> {
    return (await send(origin, name, input, this.token)).code
  }

  async upload(
    origin: string,
    folderId: number,
    fileName: string,
    content: string | Uint8Array<ArrayBuffer>,
    conflict = 'refuse',
  ): Promise<number> {
    const query = new URLSearchParams({ folderId: String(folderId), fileName, conflict })
    const response = await fetch(`${origin}${calls.uploadRaw.path}?${query.toString()}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${this.token}` },
      body: content,
    })
    const { result, data } = (await response.json()) as { result: number; data: { fileId: number } }
    if (result !== codes.success.code) throw new Error(`upload was refused: ${codeOf(result)}`)
    return data.fileId
  }

  async putPart(origin: string, uploadId: string, partNumber: number, content: Buffer): Promise<void> {
    const response = await fetch(`${origin}/services2/upload/part/${uploadId}/${partNumber}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(content),
    })
    const { result } = (await response.json()) as { result: number }
    if (result !== codes.success.code) throw new Error(`part ${partNumber} was refused: ${codeOf(result)}`)
  }

  download(origin: string, fileId: number): Promise<Response> {
    return fetch(`${origin}/DownloadServlet?fileId=${fileId}`, { headers: { authorization: `Bearer ${this.token}` } })
  }

  async listen(origin: string, more: { lastIdentity?: string; epoch?: string } = {}): Promise<Listener> {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${PUSH_PATH}`)
    const listener = new Listener(socket)
    await once(socket, 'open')
    socket.send(JSON.stringify({ cmd: 'login', token: this.token, ...more }))
    // A server that is killed before it answers closes the channel without a word.
    const answered = listener.next((frame) => isFrame(frame, 'welcome', 'refusal')).then(() => true)
    if (!(await Promise.race([answered, listener.closed.then(() => false)]))) throw new Error('the channel has ended')
    return listener
  }
}
