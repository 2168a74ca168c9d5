/*
 * Editing one file: what was typed is kept in this browser within two seconds, handed in when somebody says so and by
 * itself, and dropped from the browser only when the server has it. What stands in the way of handing in is asked about,
 * and whatever is answered, nothing that was typed is lost.
 */
import { EditState } from '@cloudoc/domain'
import { createStore } from 'zustand/vanilla'
import { CallError } from '../../core/call/api.ts'

/** Milliseconds after a change until it is kept in this browser, and until it is handed in by itself. */
export const draftAfterMs = 1500
export const autosaveAfterMs = 5 * 60_000
/** Milliseconds between two renewals of the lock, which is good for half an hour. */
export const renewLockAfterMs = 5 * 60_000

export interface EditSessionState {
  /** `failed` and `resting` are tried again when somebody saves; `offline` by itself. */
  readonly status: 'unchanged' | 'changed' | 'saving' | 'saved' | 'failed' | 'offline' | 'resting'
  readonly savedAt: number
  readonly version: number
  /** Why the last try failed, or that the lock is lost. */
  readonly message: string
  readonly isLockLost: boolean
  /** This browser keeps no drafts. */
  readonly keepsNothing: boolean
}

/** What is heard of handing in while it is under way, and how it is called off. */
export interface SubmitCallbacks {
  readonly signal: AbortSignal
  /** There is no way to the server, or the person lets it rest: nobody waits for it, and it goes on by itself. */
  readonly onConnection: (way: 'runs' | 'away' | 'rests') => void
}

/** What editing needs of the rest. */
export interface EditSessionPorts {
  /** What stands in the editor now. */
  readonly content: { readonly draft: () => string; readonly bytes: () => Uint8Array }
  /** `madeOf`: an older version that it was made of, where the person puts it on top of the newest. */
  readonly submit: (
    version: number,
    bytes: Uint8Array,
    madeOf: number | undefined,
    way: SubmitCallbacks,
  ) => Promise<{ readonly version: number }>
  /** Somebody saves while that is under way and gets no further. */
  readonly resume: () => void
  /** Takes or renews the lock. */
  readonly lock: () => Promise<{ readonly version: number }>
  readonly keepDraft: (text: string, version: number) => Promise<boolean>
  readonly dropDraft: () => Promise<void>
  /** Says of a version that it was made without somebody saying so. */
  readonly recordAutosave: (version: number) => Promise<unknown>
  readonly record: (state: number, version: number) => void
  /** There is another version: `overwrite` is answered with the version to hand in upon. */
  readonly askConflict: (
    version: number,
    bytes: Uint8Array,
  ) => Promise<{ readonly overwrite: number } | 'saveAs' | undefined>
  /** `canWait`: somebody else has it, who will leave it some time. */
  readonly askLockLost: (reason: string, canWait: boolean) => Promise<'saveAs' | undefined>
  /** Gives the person what stands in the editor as a file of their own. */
  readonly saveAs: (bytes: Uint8Array) => void
  readonly now: () => number
}

export type EditSession = ReturnType<typeof startEditSession>

/** Begins to edit under the lock; `version` is what stands in the editor. */
export function startEditSession(version: number, ports: EditSessionPorts) {
  const store = createStore<EditSessionState>(() => ({
    status: 'unchanged',
    savedAt: 0,
    version,
    message: '',
    isLockLost: false,
    keepsNothing: false,
  }))
  const set = (some: Partial<EditSessionState>): void => store.setState(some)
  let revision = 0
  let handedIn = 0
  /** The version that this was made of, while it waits to be put on top of a newer one. */
  let madeOf: number | undefined
  let kept = 0
  let draftTimer: ReturnType<typeof setTimeout> | undefined
  let handInTimer: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<boolean> | undefined
  /** Resolved while what is handed in gets no further. */
  let stuck = Promise.withResolvers<false>()
  const handingIn = new AbortController()
  let isOver = false
  let isGivenUp = false
  /** Somebody has ended the lock: nothing takes it again but opening the file anew. */
  let isTaken = false
  let isHandedOver = false

  const isDirty = (): boolean => revision > handedIn
  const keepDraft = async (): Promise<void> => {
    clearTimeout(draftTimer)
    draftTimer = undefined
    if (!isDirty() || kept === revision || isOver) return
    const keeping = revision
    const isKept = await ports.keepDraft(ports.content.draft(), store.getState().version)
    if (isKept) kept = keeping
    set({ keepsNothing: !isKept })
    ports.record(EditState.changed, store.getState().version)
  }
  const later = (): void => {
    draftTimer ??= setTimeout(() => void keepDraft(), draftAfterMs)
    handInTimer ??= setTimeout(() => {
      handInTimer = undefined
      void save('auto')
    }, autosaveAfterMs)
  }

  /** One try, and what it is answered with; true when the server has it. */
  const handIn = async (by: 'hand' | 'auto', isRelocked = false): Promise<boolean> => {
    const submitted = revision
    const bytes = ports.content.bytes()
    set({ status: 'saving' })
    const onWay: SubmitCallbacks['onConnection'] = (way) => {
      if (isOver) return
      set({ status: way === 'runs' ? 'saving' : way === 'away' ? 'offline' : 'resting' })
      if (way === 'runs') stuck = Promise.withResolvers()
      else {
        stuck.resolve(false)
        void keepDraft()
      }
    }
    try {
      const { signal } = handingIn
      const { version: made } = await ports.submit(store.getState().version, bytes, madeOf, {
        signal,
        onConnection: onWay,
      })
      handedIn = submitted
      madeOf = undefined
      set({
        status: isDirty() ? 'changed' : 'saved',
        savedAt: ports.now(),
        version: made,
        message: isTaken ? store.getState().message : '',
        isLockLost: isTaken,
      })
      ports.record(isDirty() ? EditState.changed : EditState.submitted, made)
      if (isDirty()) later()
      else await ports.dropDraft()
      if (by === 'auto') void ports.recordAutosave(made).catch(() => undefined)
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const isAway = error.code === 'network' || error.code === 'timeout' || error.code === 'http'
      set({ status: isAway ? 'offline' : 'failed', message: error.message })
      await keepDraft()
      if (isAway) later()
      return isAway ? false : solve(error, bytes, by, isRelocked)
    }
  }

  /** Nobody is asked about what is handed in by itself. */
  const solve = async (
    error: CallError,
    bytes: Uint8Array,
    by: 'hand' | 'auto',
    isRelocked: boolean,
  ): Promise<boolean> => {
    if (error.code === 'fileConflict') return by === 'hand' && conflict(bytes)
    if ((error.code !== 'noEditLock' && error.code !== 'fileLocked') || isRelocked) return false
    if (isTaken) return by === 'hand' && offerCopy()
    // The lock may just have run out, with nobody else there ([R173]).
    try {
      await ports.lock()
      set({ isLockLost: false })
      // Where there is another version by now, the server says that, and not that there was no lock.
      return await handIn(by, true)
    } catch (lost) {
      if (!(lost instanceof CallError)) throw lost
      set({ isLockLost: true, message: lost.message })
      return by === 'hand' && offerCopy()
    }
  }

  /** What stands in the editor cannot become the next version: a copy is all that there is ([R173]). */
  const offerCopy = async (): Promise<boolean> => {
    if ((await ports.askLockLost(store.getState().message, !isTaken)) === 'saveAs') ports.saveAs(ports.content.bytes())
    return false
  }

  const conflict = async (bytes: Uint8Array): Promise<boolean> => {
    const answer = await ports.askConflict(store.getState().version, bytes)
    if (answer === 'saveAs') ports.saveAs(bytes)
    if (answer === undefined || answer === 'saveAs') return false
    // On top of the newest one, which stays among the versions (X50).
    madeOf ??= store.getState().version
    set({ version: answer.overwrite })
    return handIn('hand')
  }

  const save = (by: 'hand' | 'auto' = 'hand'): Promise<boolean> => {
    const unlessStuck = (done: Promise<boolean>): Promise<boolean> => Promise.race([done, stuck.promise])
    if (isOver || !isDirty()) return saving === undefined ? Promise.resolve(true) : unlessStuck(saving)
    clearTimeout(handInTimer)
    handInTimer = undefined
    if (isTaken && saving === undefined) return by === 'hand' ? offerCopy() : Promise.resolve(false)
    if (saving === undefined) {
      stuck = Promise.withResolvers()
      saving = handIn(by).finally(() => {
        saving = undefined
      })
      return unlessStuck(saving)
    }
    if (by === 'hand') ports.resume()
    // What was typed since it began is handed in behind it.
    return unlessStuck(saving).then((done) => (done && by === 'hand' && isDirty() ? save() : done))
  }

  const renew = async (): Promise<void> => {
    if (isTaken) return
    try {
      await ports.lock()
      set({ isLockLost: false })
    } catch (error) {
      // One that was not reached is asked again the next time: the lock is good for much longer.
      if (error instanceof CallError && error.code === 'fileLocked') set({ isLockLost: true, message: error.message })
    }
  }
  const renewal = setInterval(() => void renew(), renewLockAfterMs)

  return {
    store,
    isDirty,
    save,
    /** What stands in the editor has changed. */
    changed(): void {
      revision += 1
      // While it is handed in, that is what is said.
      if (saving === undefined || store.getState().status === 'failed') set({ status: 'changed' })
      later()
    },
    /** A draft of this version is put on the surface: it is handed in as what was made of that. */
    restore: (of: number): void => set({ version: of }),
    /** Nothing of it is to be kept. */
    async giveUp(): Promise<void> {
      isOver = true
      isGivenUp = true
      handingIn.abort()
      await ports.dropDraft()
    },
    isGivenUp: (): boolean => isGivenUp,
    /** Keeps what is not kept yet, at once: the page may go. */
    keepNow: keepDraft,
    /** The lock has been taken away ([R339]). */
    lockLost(message: string): void {
      isTaken = true
      set({ isLockLost: true, message })
    },
    /** The lock is somebody else's by the person's own word: there is nothing to give back, and no record of it ([R179]). */
    handedOver(): void {
      isTaken = true
      isHandedOver = true
    },
    isHandedOver: (): boolean => isHandedOver,
    /** Whether what is edited is still this editor's to give back. */
    hasLock: (): boolean => !isTaken,
    saveCopy: (): void => ports.saveAs(ports.content.bytes()),
    end(): void {
      isOver = true
      handingIn.abort()
      clearInterval(renewal)
      clearTimeout(draftTimer)
      clearTimeout(handInTimer)
    },
  }
}
