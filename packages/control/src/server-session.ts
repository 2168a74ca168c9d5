/*
 * A session of the program at a server ([R198]): the calls that local editing needs. It begins with the single-use key
 * of an address, and is kept in memory only, so that nothing on the disk signs anybody in.
 */
import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { open } from 'node:fs/promises'
import {
  type CallAnswer,
  type CallInput,
  calls,
  callsByName,
  type Fields,
  type Input,
  placeInput,
} from '@cloudoc/contract'
import { ClientType, codes, contentOrigin, localFailures, machineAddressHeader } from '@cloudoc/domain'

type Catalogue = typeof calls
type CallName = keyof Catalogue

/** A refused request: the number of the result code, or of `localFailures`. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly result: number

  constructor(call: string, result: number) {
    super(`${call}: ${result}`)
    this.result = result
  }
}

/** Returns whether a request failed with a code. */
export const isRefusal = (error: unknown, code: keyof typeof codes): boolean =>
  error instanceof Refused && error.result === codes[code].code

/** The number of a failure: a result code, or one of `localFailures`. */
export function failureOf(error: unknown): number {
  if (error instanceof Refused) return error.result
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return localFailures.diskFull
  return code === 'EBUSY' || code === 'EPERM' || code === 'EACCES' ? localFailures.fileInUse : codes.unknown.code
}

/** Who the session belongs to, and where. */
export interface Owner {
  readonly server: string
  readonly context: string
  readonly code: string
  readonly serverId: number
  readonly accountId: number
  readonly account: string
}

/** Milliseconds without an answer after which a call has failed. */
const callTimeoutMs = 60_000

export class ServerSession {
  readonly owner: Owner
  readonly #token: string
  readonly #machine: string
  /** Where contents are fetched and sent: the server, at the file port of its best server ([R043]). */
  #contents: string

  private constructor(owner: Owner, token: string, machine: string) {
    this.owner = owner
    this.#token = token
    this.#machine = machine
    this.#contents = owner.server
  }

  /** Opens a session with the key of an address. */
  static async open(
    { server, context, code, key }: Pick<Owner, 'server' | 'context' | 'code'> & { readonly key: string },
    machine: string,
  ): Promise<ServerSession> {
    const stranger: Owner = { server, context, code, serverId: 0, accountId: 0, account: '' }
    const signedIn = await new ServerSession(stranger, '', machine).call('login3ByLoginKey', {
      clientType: ClientType.editLock,
      loginKey: key,
    })
    const { userId, account } = signedIn.accountInfo
    const owner = { ...stranger, serverId: signedIn.serverId, accountId: userId, account }
    const session = new ServerSession(owner, signedIn.accessToken, machine)
    const bestServer = await session.call('getServerSetting', { code: 'best_server' }).catch(() => '""')
    session.#contents = contentOrigin(server, String(JSON.parse(bestServer)))
    return session
  }

  /** Makes a call; fails with its result code. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallAnswer<N>>
  async call(name: CallName, input: Fields): Promise<unknown> {
    const { method, path, body } = placeInput(callsByName[name], input)
    const response = await this.#send(name, path, {
      method,
      headers: body === undefined ? {} : { 'content-type': body.type },
      ...(body !== undefined && { body: body.text }),
      signal: AbortSignal.timeout(callTimeoutMs),
    })
    return dataOf(name, response)
  }

  /** Whether the server still knows the session; true while it does not answer. */
  async isAlive(): Promise<boolean> {
    try {
      await this.call('getEditControlVersion', {})
      return true
    } catch (error) {
      return !isRefusal(error, 'notLoggedIn')
    }
  }

  /** Downloads a version of a file that the session has locked into a new file; returns the SHA-256 of the content. */
  async download(fileId: number, version: number, path: string): Promise<string> {
    const { path: address } = placeInput(calls.downloadServlet, { fileId, version, forEdit: true })
    const response = await this.#sendContent('downloadServlet', address, { method: 'GET' })
    if (!response.ok || response.body === null) throw new Refused('downloadServlet', await resultOf(response))
    const length = response.headers.get('content-length')
    const hash = createHash('sha256')
    const file = await open(path, 'w', 0o600)
    let size = 0
    try {
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        hash.update(chunk)
        size += chunk.length
        await file.writeFile(chunk)
      }
      await file.sync()
    } catch (error) {
      throw error instanceof TypeError ? new Refused('downloadServlet', localFailures.noConnection) : error
    } finally {
      await file.close()
    }
    if (length !== null && size !== Number(length)) throw new Refused('downloadServlet', localFailures.noConnection)
    return hash.digest('hex')
  }

  /** Sends a file as the next version. The server refuses a content whose hash differs. */
  async submit(path: string, input: Input<Catalogue['submitFile']>): Promise<{ readonly version: number }> {
    return (await this.#upload('submitFile', path, input)) as { readonly version: number }
  }

  /** Sends a file as a new one. */
  async uploadNew(path: string, input: Input<Catalogue['uploadRaw']>): Promise<unknown> {
    return this.#upload('uploadRaw', path, input)
  }

  async #upload(name: 'submitFile' | 'uploadRaw', path: string, input: Fields): Promise<unknown> {
    const placed = placeInput(callsByName[name], input)
    const response = await this.#sendContent(name, placed.path, {
      method: placed.method,
      headers: { 'content-type': 'application/octet-stream' },
      body: await openAsBlob(path),
    })
    return dataOf(name, response)
  }

  /**
   * Sends a request with a content. If the file port cannot be reached from here, the server itself is used from then
   * on. An upload that broke off may have arrived: its caller finds that out before it sends it again.
   */
  async #sendContent(name: string, path: string, init: RequestInit): Promise<Response> {
    const { server } = this.owner
    if (this.#contents === server) return this.#send(name, path, init)
    try {
      return await this.#send(name, path, init, this.#contents)
    } catch (error) {
      this.#contents = server
      if (init.method !== 'GET') throw error
      return this.#send(name, path, init)
    }
  }

  async #send(name: string, path: string, init: RequestInit, origin = this.owner.server): Promise<Response> {
    const { context } = this.owner
    const headers = {
      ...init.headers,
      ...(this.#token !== '' && { authorization: `Bearer ${this.#token}` }),
      ...(this.#machine !== '' && { [machineAddressHeader]: this.#machine }),
    }
    try {
      // Nothing is sent to where a server leads: a redirected request would carry the token there.
      return await fetch(`${origin}${context}${path}`, { ...init, headers, redirect: 'error' })
    } catch {
      throw new Refused(name, localFailures.noConnection)
    }
  }
}

async function dataOf(name: CallName, response: Response): Promise<unknown> {
  const envelope = await readEnvelope(response)
  if (envelope?.result !== codes.success.code) throw new Refused(name, envelope?.result ?? localFailures.noConnection)
  return envelope.data
}

const resultOf = async (response: Response): Promise<number> =>
  (await readEnvelope(response))?.result ?? localFailures.noConnection

async function readEnvelope(response: Response): Promise<{ result: number; data: unknown } | undefined> {
  try {
    const told = (await response.json()) as { result?: unknown; data?: unknown } | null
    return typeof told?.result === 'number' ? { result: told.result, data: told.data } : undefined
  } catch {
    return undefined
  }
}

/** The SHA-256 of a file. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
