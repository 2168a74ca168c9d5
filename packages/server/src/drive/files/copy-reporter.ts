/*
 * A copy that is told of while it goes on, and that can be called off. It is one transaction, so what it is told by lies
 * beside that: a row of `once` by the name that the client gave, which no transaction waits for. Whoever calls the copy off
 * uses the name up; an item that finds it used up, or its caller gone, is taken back as a whole.
 */
import { ResultError } from '@cloudoc/domain'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { issueTokenAs, lockToken, updateToken } from '../../core/one-time-tokens.ts'

/** What is known of a copy while it goes on. */
export interface CopyProgress {
  readonly accountId: number
  readonly copied: number
}

/** How long a copy is known of. */
const knownMs = 60 * 60_000
const reportEveryMs = 500

const calledOff = (): ResultError =>
  new ResultError('uploadInterrupted', { zh: '复制已取消', en: 'the copy was called off' })

/** What the items of one call share. */
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

  /** Counts what was copied, says so beside the transaction, and fails once nobody wants it any more. */
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
        ? await updateToken(this.#db, 'copy', copyId, value)
        : await issueTokenAs(this.#db, 'copy', copyId, { value, expiresAt: now + knownMs })
      // A name that was given before is nobody's to call off.
      this.#state = isThere ? 'known' : this.#isKnown ? 'calledOff' : 'telling'
      this.#isKnown ||= isThere
    } catch {
      // A figure that does not come through is followed by the next one.
      this.#state = this.#isKnown ? 'known' : 'unknown'
    }
  }

  /** Right before the commit: from here on nobody calls it off. */
  async ends(context: WriteContext): Promise<void> {
    if (context.request.raw.socket.destroyed) throw calledOff()
    if (this.#copyId !== undefined && this.#isKnown && !(await lockToken(context.tx, 'copy', this.#copyId)))
      throw calledOff()
  }
}
