// Servers that are linked with each other, and a server that only pretends to be one.
import { generateKeyPairSync, sign } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Answer, calls } from '@cloudoc/contract'
import { type CodeName, codeOf } from '@cloudoc/domain'
import { expect, vi } from 'vitest'
import { greetingText } from '../src/servers/links/greeting.ts'
import type { Person, World } from './harness.ts'

/** Links two worlds in both directions, as their administrators do. Returns the number of `there` at `here`. */
export async function linkWorlds(
  here: World,
  there: World,
  more: { readonly name?: string; readonly sameNames?: boolean } = {},
): Promise<number> {
  const one = async (from: World, to: World, serverName: string): Promise<number> => {
    const admin = await from.admin()
    const apiHost = `http://127.0.0.1:${await to.port()}`
    const { publicKey } = await admin.call('probeServer', { apiHost })
    const { sameNames = true } = more
    return (await admin.call('setLinkedServer', { serverName, apiHost, publicKey, sameNames })).serverId
  }
  const number = await one(here, there, more.name ?? '深圳分部')
  const back = await one(there, here, '总部')
  // What was asked while only one of them knew the other is remembered as a failure.
  await (await here.admin()).call('checkLinkedServer', { serverId: number })
  await (await there.admin()).call('checkLinkedServer', { serverId: back })
  return number
}

type CopyAnswer = Answer<(typeof calls)['getServerCopy']>

/** What has become of a copy: its result, and the answer for each item. */
export interface Copied {
  readonly code: CodeName | 'success' | undefined
  readonly copyId: number
  readonly data: CopyAnswer['items']
  readonly answer?: CopyAnswer
}

/** Waits until a copy has ended, or waits itself for a server that does not respond. */
export async function copyEnded(person: Person, copyId: number, timeout = 20_000): Promise<Copied> {
  return vi.waitFor(
    async () => {
      const answer = await person.call('getServerCopy', { copyId })
      const { copy, items } = answer
      expect(copy.state !== 'running' || copy.waitingFor >= 0, JSON.stringify(copy)).toBe(true)
      const refused = items.find(({ result }) => result !== -1)?.result ?? -1
      const result = copy.waitingFor >= 0 ? copy.waitingCode : copy.code === 0 ? refused : copy.code
      return { code: result === -1 ? 'success' : codeOf(result), copyId, data: items, answer }
    },
    { timeout, interval: 25 },
  )
}

/** Copies between servers, and waits for the end. */
export async function copyAcross(person: Person, input: object): Promise<Copied> {
  const asked = await person.wire('copyFilesAndFolders', {
    sourceServerId: 1,
    targetFolderId: person.library,
    ...input,
  })
  const copyId = (asked.data as { copyId: number } | null)?.copyId ?? 0
  return copyId === 0 ? { code: asked.code, copyId, data: [] } : copyEnded(person, copyId)
}

/** The key of a server that a test plays itself, and its answer to a sign-in. */
export function fakePeer() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const signed = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64url')
  const bodyOf = async (request: IncomingMessage): Promise<Record<string, string>> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>
  }
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('base64url'),
    /** Answers `greetServer`: a server that was not heard of for a while is asked how it is. */
    async greet(request: IncomingMessage) {
      const { nonce = '' } = await bodyOf(request)
      const text = { answer: 'ok', time: Date.now(), version: '1.0.0', serverName: '敌' } as const
      return { ...text, signature: signed(greetingText(nonce, text)) }
    },
    /** Answers `loginByServer` with a session. */
    async signIn(request: IncomingMessage) {
      const { nonce, account } = await bodyOf(request)
      const accessToken = 'a-session-of-the-pretended-server'
      const signature = signed(`cloudoc-session-1\n${nonce}\n${accessToken}`)
      return { accessToken, account, accountName: account, userId: 1, signature }
    },
  }
}
