/*
 * Checks updates before anything of them is used ([R372], [R373], ADR 0292): the signature of the list, its age, that it
 * is no older one than was seen, and the length and hash of an installer.
 */
import { verify } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { isOlderVersion } from '@cloudoc/domain'
import { hashOf } from './server-session.ts'

export interface Program {
  readonly packageId: number
  readonly type: string
  readonly sys: string
  readonly cpu: string
  readonly version: string
  readonly size: number
  readonly sha256: string
}

/** What was seen of earlier lists; it only grows. */
export interface UpdateMemory {
  readonly generation: number
  readonly time: number
  /** The highest version of each program. */
  readonly versions: Readonly<Record<string, string>>
}

export const nothingSeen: UpdateMemory = { generation: 0, time: 0, versions: {} }

/** Why an update is not used. Only updating stops; the program works on. */
export type UpdateProblem = 'signature' | 'expired' | 'olderList' | 'olderVersion' | 'damaged'

export class UpdateRefused extends Error {
  override readonly name = 'UpdateRefused'
  readonly problem: UpdateProblem

  constructor(problem: UpdateProblem) {
    super(problem)
    this.problem = problem
  }
}

/** The longest list that is read, in UTF-16 units. */
const longestList = 1_000_000

const keyOf = ({ type, sys, cpu }: Program): string => `${type} ${sys} ${cpu}`

/** Checks a list; returns its programs and what to remember, also where it has expired (see `expired`). */
export function checkList(
  list: { readonly signed: string; readonly signature: string },
  { publicKey, memory, now }: { readonly publicKey: string; readonly memory: UpdateMemory; readonly now: number },
): { readonly programs: readonly Program[]; readonly memory: UpdateMemory; readonly expired: boolean } {
  const { signed, signature } = list
  const isSigned =
    signed.length <= longestList && verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64'))
  if (!isSigned) throw new UpdateRefused('signature')
  const told = JSON.parse(signed) as { generation: number; time: number; expires: number; programs: Program[] }
  if (told.generation < memory.generation) throw new UpdateRefused('olderList')
  const versions = { ...memory.versions }
  for (const program of told.programs) {
    const known = versions[keyOf(program)] ?? ''
    if (isOlderVersion(program.version, known)) throw new UpdateRefused('olderVersion')
    versions[keyOf(program)] = program.version
  }
  const time = Math.max(memory.time, told.time)
  // The local clock may be wrong in either direction; signed time never goes back.
  const expired = Math.max(now, time) > told.expires
  return { programs: told.programs, memory: { generation: told.generation, time, versions }, expired }
}

/** Checks a downloaded installer; one that differs is deleted. */
export async function checkInstaller(path: string, { size, sha256 }: Program): Promise<void> {
  if ((await stat(path)).size === size && (await hashOf(path)) === sha256) return
  await rm(path, { force: true })
  throw new UpdateRefused('damaged')
}
