/*
 * Calls to every server at which the user is signed in ([R344]). A linked server that fails, or does not answer within
 * ten seconds, is left out and named; the server of the page must answer.
 */
import { limits } from '@cloudoc/domain'
import { CallError, type CallOptions, type FailureCode, mainServer, type OnServer } from '../call/api.ts'
import { isAsked, linkedServersStore } from './linked-servers.ts'

/** A server whose part of an answer is missing. */
export interface Missing extends OnServer {
  readonly serverName: string
  readonly code: FailureCode
}

/** The answers of the servers, the one of the page first. */
export interface FannedOut<T> {
  readonly answers: readonly (OnServer & { readonly answer: T })[]
  readonly missing: readonly Missing[]
}

/** The options of each call of a fan-out. */
export const fanOutOptions: CallOptions = { quiet: true, timeoutMs: limits.fanOutTimeoutMs }

/** Numbers of the servers that a call to every server goes to, the one of the page first. */
export const askedServers = (): readonly number[] => [
  mainServer.serverId,
  ...linkedServersStore
    .getState()
    .list.filter(isAsked)
    .map(({ serverId }) => serverId),
]

/** Returns what is missing because of a failure. Rethrows what is no failure of a call. */
export function missingOf(serverId: number, error: unknown): Missing {
  if (!(error instanceof CallError)) throw error
  const { list } = linkedServersStore.getState()
  return { serverId, code: error.code, serverName: list.find((one) => one.serverId === serverId)?.serverName ?? '' }
}

/** Asks the server of the page and every linked one. */
export async function fanOut<T>(ask: (on: OnServer) => Promise<T>): Promise<FannedOut<T>> {
  const missing: Missing[] = []
  const asked = askedServers().map(async (serverId) => {
    try {
      return [{ serverId, answer: await ask({ serverId }) }]
    } catch (error) {
      if (serverId === mainServer.serverId) throw error
      missing.push(missingOf(serverId, error))
      return []
    }
  })
  return { answers: (await Promise.all(asked)).flat(), missing }
}
