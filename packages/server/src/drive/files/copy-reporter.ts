/*
 * Progress and cancellation of a copy. A copy is one transaction, so its progress is written outside that transaction:
 * to a row of `once` named by the client's copy id, which no transaction waits for. Cancelling the copy consumes the
 * row. If an item finds the row consumed or its client disconnected, its whole copy is rolled back.
 */
import { ResultError } from '@cloudoc/domain'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'

/** The progress of a running copy. */
export interface CopyProgress {
  readonly accountId: number
  readonly copied: number
}

/** Ids of running copies, chosen by the client. */
export const copyTokens = oneTimeToken<CopyProgress>('copy')

/** How long the progress of a copy is stored. */
const knownMs = 60 * 60_000
const reportEveryMs = 500

const calledOff = (): ResultError =>
  new ResultError('uploadInterrupted', { zh: '复制已取消', en: 'the copy was called off' })

/** State shared by the items of one copy call. */
export class CopyReporter {
  readonly #db: Db
  readonly #copyId: string | undefined
  #copied = 0
  #next = 0
  #state: 'unknown' | 'telling' | 'known' | 'calledOff' = 'unknown'
  #isKnown = false

  constructor(db: Db, copyId: string | undefined) {
    this.#db = db
    this.#copyId = copyId
  }

  /** Counts copied items and writes the progress outside the transaction. Throws once the copy has been cancelled. */
  report(context: Context, more: number): void {
    this.#copied += more
    if (this.#state === 'calledOff' || context.request.raw.socket.destroyed) throw calledOff()
    if (this.#copyId === undefined || this.#state === 'telling' || performance.now() < this.#next) return
    void this.#write(this.#copyId, { accountId: actorOf(context).accountId, copied: this.#copied }, context.now)
  }

  async #write(copyId: string, value: CopyProgress, now: number): Promise<void> {
    this.#state = 'telling'
    this.#next = performance.now() + reportEveryMs
    try {
      const isThere = this.#isKnown
        ? await copyTokens.update(this.#db, copyId, value)
        : await copyTokens.issueAs(this.#db, copyId, { value, expiresAt: now + knownMs })
      // An id that was already in use cannot cancel this copy.
      this.#state = isThere ? 'known' : this.#isKnown ? 'calledOff' : 'telling'
      this.#isKnown ||= isThere
    } catch {
      // A failed progress write is ignored; the next one follows.
      this.#state = this.#isKnown ? 'known' : 'unknown'
    }
  }

  /** Called right before the commit: from then on the copy cannot be cancelled. */
  async ends(context: WriteContext): Promise<void> {
    if (context.request.raw.socket.destroyed) throw calledOff()
    if (this.#copyId !== undefined && this.#isKnown && !(await copyTokens.lock(context.tx, this.#copyId)))
      throw calledOff()
  }
}
