// Servers that are linked with each other, and a server that only pretends to be one.
import { generateKeyPairSync, sign } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { World } from './harness.ts'

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

/** The key of a server that a test plays itself, and its answer to a sign-in. */
export function fakePeer() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const signed = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64url')
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('base64url'),
    /** Answers `loginByServer` with a session. */
    async signIn(request: IncomingMessage) {
      const chunks: Buffer[] = []
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
      const { nonce, account } = JSON.parse(Buffer.concat(chunks).toString()) as { nonce: string; account: string }
      const accessToken = 'a-session-of-the-pretended-server'
      const signature = signed(`cloudoc-session-1\n${nonce}\n${accessToken}`)
      return { accessToken, account, accountName: account, userId: 1, signature }
    },
  }
}
