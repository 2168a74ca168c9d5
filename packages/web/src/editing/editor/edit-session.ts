/*
 * The edit session of one file. Changes are stored as a draft in this browser within a second ([R087]). They are uploaded on
 * save and automatically, and the draft is deleted only after the server has them. Upload problems are shown to the
 * user, and no answer loses typed content.
 */
import { EditState } from '@cloudoc/domain'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { CallError } from '../../core/call/api.ts'
import { debounced, saveWait } from '../../core/storage/debounced.ts'

/** Milliseconds after a change until it is uploaded automatically. */
export const autosaveAfterMs = 5 * 60_000
/** Milliseconds between two renewals of the lock, which expires after half an hour. */
export const renewLockAfterMs = 5 * 60_000

export interface EditSessionState {
  /** `failed` and `resting` are retried when the user saves; `offline` is retried automatically. */
  readonly status: 'unchanged' | 'changed' | 'saving' | 'saved' | 'failed' | 'offline' | 'resting'
  readonly savedAt: number
  readonly version: number
  /** Why the last upload failed, or that the lock is lost. */
  readonly message: string
  readonly isLockLost: boolean
  /** This browser cannot store drafts. */
  readonly keepsNothing: boolean
}

/** The progress callback and the abort signal of an upload. */
export interface SubmitCallbacks {
  readonly signal: AbortSignal
  /**
   * `away`: the server is unreachable. `rests`: the user has paused the upload. Nobody waits for the upload then, and
   * it continues later.
   */
  readonly onConnection: (way: 'runs' | 'away' | 'rests') => void
}

/** The dependencies of an edit session. */
export interface EditSessionPorts {
  /** The current content of the editor. */
  readonly content: { readonly draft: () => string; readonly bytes: () => Uint8Array }
  /** `madeOf`: the older base version, if the user overwrites a newer version. */
  readonly submit: (
    version: number,
    bytes: Uint8Array,
    madeOf: number | undefined,
    way: SubmitCallbacks,
  ) => Promise<{ readonly version: number }>
  /** The user saves while an upload is stuck: retries it. */
  readonly resume: () => void
  /** Acquires or renews the lock. */
  readonly lock: () => Promise<{ readonly version: number }>
  readonly keepDraft: (text: string, version: number) => Promise<boolean>
  readonly dropDraft: () => Promise<void>
  /** Marks a version as saved automatically. */
  readonly recordAutosave: (version: number) => Promise<unknown>
  readonly record: (state: number, version: number) => void
  /** There is a newer version. `overwrite` returns the version to save on top of. */
  readonly askConflict: (
    version: number,
    bytes: Uint8Array,
  ) => Promise<{ readonly overwrite: number } | 'saveAs' | undefined>
  /** `wait`: another user has the lock and will release it. `again`: nobody has it. */
  readonly askLockLost: (
    reason: string,
    option: 'wait' | 'again' | undefined,
  ) => Promise<'saveAs' | 'again' | undefined>
  /** Saves the content of the editor as a separate file of the user. */
  readonly saveAs: (bytes: Uint8Array) => void
  readonly now: () => number
}

export type EditSession = ReturnType<typeof startEditSession>

const unchanged: Omit<EditSessionState, 'version'> = {
  status: 'unchanged',
  savedAt: 0,
  message: '',
  isLockLost: false,
  keepsNothing: false,
}

/** The lock of a session: renewed, lost, or handed over. */
function openLock(ports: EditSessionPorts, store: StoreApi<EditSessionState>) {
  /** The lock was forcibly ended; only reopening the file can acquire it again. */
  let isTaken = false
  let isHandedOver = false
  const renew = async (): Promise<void> => {
    if (isTaken) return
    try {
      await ports.lock()
      store.setState({ isLockLost: false })
    } catch (error) {
      // If the server is unreachable, the next renewal retries: the lock is valid for much longer.
      if (error instanceof CallError && error.code === 'fileLocked')
        store.setState({ isLockLost: true, message: error.message })
    }
  }
  const renewal = setInterval(() => void renew(), renewLockAfterMs)
  return {
    isTaken: (): boolean => isTaken,
    /** Whether this session still owns the lock and must release it. */
    isOwned: (): boolean => !isTaken,
    /** The content cannot become the next version: the user can save a copy ([R173]). True where they take the lock again. */
    offerCopy: async (option: 'wait' | 'again' | undefined = isTaken ? undefined : 'wait'): Promise<boolean> => {
      const answer = await ports.askLockLost(store.getState().message, option)
      if (answer === 'saveAs') ports.saveAs(ports.content.bytes())
      return answer === 'again'
    },
    /** The lock was taken away ([R339]). */
    lost: (message: string): void => {
      isTaken = true
      store.setState({ isLockLost: true, message })
    },
    /** The user has handed the lock over: there is no lock to release, and no edit record remains ([R179]). */
    handedOver: (): void => {
      isTaken = true
      isHandedOver = true
    },
    isHandedOver: (): boolean => isHandedOver,
    end: (): void => clearInterval(renewal),
  }
}

/** Starts an edit session under the lock; `version` is the content of the editor. */
export function startEditSession(version: number, ports: EditSessionPorts) {
  const store = createStore<EditSessionState>(() => ({ ...unchanged, version }))
  const set = (some: Partial<EditSessionState>): void => store.setState(some)
  let revision = 0
  let handedIn = 0
  /** The base version of the edit while it waits to overwrite a newer version. */
  let madeOf: number | undefined
  let kept = 0
  let handInTimer: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<boolean> | undefined
  /** Resolved when the upload is stuck. */
  let stuck = Promise.withResolvers<false>()
  const handingIn = new AbortController()
  let isOver = false
  let isGivenUp = false
  const lock = openLock(ports, store)
  const { isTaken, offerCopy } = lock

  const isDirty = (): boolean => revision > handedIn
  const keepDraft = async (): Promise<void> => {
    drafting.cancel()
    if (!isDirty() || kept === revision || isOver) return
    const keeping = revision
    const isKept = await ports.keepDraft(ports.content.draft(), store.getState().version)
    if (isKept) kept = keeping
    set({ keepsNothing: !isKept })
    ports.record(EditState.changed, store.getState().version)
  }
  const drafting = debounced(() => void keepDraft(), saveWait)
  const later = (): void => {
    drafting.later()
    handInTimer ??= setTimeout(() => {
      handInTimer = undefined
      void save('auto')
    }, autosaveAfterMs)
  }

  /** Uploads once and handles the response; true if the server has the content. */
  const handIn = async (by: 'hand' | 'auto', isRelocked = false): Promise<boolean> => {
    const submitted = revision
    const bytes = ports.content.bytes()
    set({ status: 'saving' })
    const onConnection: SubmitCallbacks['onConnection'] = (way) => {
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
      const { version: made } = await ports.submit(store.getState().version, bytes, madeOf, { signal, onConnection })
      handedIn = submitted
      madeOf = undefined
      set({
        status: isDirty() ? 'changed' : 'saved',
        savedAt: ports.now(),
        version: made,
        message: isTaken() ? store.getState().message : '',
        isLockLost: isTaken(),
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

  /** Handles a refused upload. Automatic uploads never ask the user. */
  const solve = async (
    error: CallError,
    bytes: Uint8Array,
    by: 'hand' | 'auto',
    isRelocked: boolean,
  ): Promise<boolean> => {
    if (error.code === 'fileConflict') return by === 'hand' && conflict(bytes)
    if ((error.code !== 'noEditLock' && error.code !== 'fileLocked') || isRelocked) return false
    if (isTaken()) return by === 'hand' && offerCopy()
    // The lock has expired, and no other user edits the file: the user decides ([R173]), and an automatic upload, which
    // asks nobody, takes it again.
    if (error.code === 'noEditLock' && by === 'hand' && !(await offerCopy('again'))) return false
    try {
      await ports.lock()
      set({ isLockLost: false })
      // If there is a newer version, the server now reports that conflict instead of the missing lock.
      return await handIn(by, true)
    } catch (lost) {
      if (!(lost instanceof CallError)) throw lost
      set({ isLockLost: true, message: lost.message })
      return by === 'hand' && offerCopy()
    }
  }

  const conflict = async (bytes: Uint8Array): Promise<boolean> => {
    const answer = await ports.askConflict(store.getState().version, bytes)
    if (answer === 'saveAs') ports.saveAs(bytes)
    if (answer === undefined || answer === 'saveAs') return false
    // Saves on top of the newest version, which remains in the version history (X50).
    madeOf ??= store.getState().version
    set({ version: answer.overwrite })
    return handIn('hand')
  }

  const save = (by: 'hand' | 'auto' = 'hand'): Promise<boolean> => {
    const unlessStuck = (done: Promise<boolean>): Promise<boolean> => Promise.race([done, stuck.promise])
    if (isOver || !isDirty()) return saving === undefined ? Promise.resolve(true) : unlessStuck(saving)
    clearTimeout(handInTimer)
    handInTimer = undefined
    if (isTaken() && saving === undefined) return by === 'hand' ? offerCopy() : Promise.resolve(false)
    if (saving === undefined) {
      stuck = Promise.withResolvers()
      saving = handIn(by).finally(() => {
        saving = undefined
      })
      return unlessStuck(saving)
    }
    if (by === 'hand') ports.resume()
    // Changes made during the upload are uploaded afterwards.
    return unlessStuck(saving).then((done) => (done && by === 'hand' && isDirty() ? save() : done))
  }

  return {
    store,
    isDirty,
    save,
    /** Called when the content of the editor has changed. */
    changed(): void {
      revision += 1
      // During an upload the status is that of the upload.
      if (saving === undefined || store.getState().status === 'failed') set({ status: 'changed' })
      later()
    },
    /** A draft of this version was restored into the editor: it is saved as based on that version. */
    restore: (of: number): void => set({ version: of }),
    /** Discards the changes. */
    async giveUp(): Promise<void> {
      isOver = true
      isGivenUp = true
      handingIn.abort()
      await ports.dropDraft()
    },
    isGivenUp: (): boolean => isGivenUp,
    /** Stores the draft immediately, because the page may be closed. */
    keepNow: keepDraft,
    lockLost: lock.lost,
    handedOver: lock.handedOver,
    isHandedOver: lock.isHandedOver,
    hasLock: lock.isOwned,
    saveCopy: (): void => ports.saveAs(ports.content.bytes()),
    end(): void {
      isOver = true
      handingIn.abort()
      lock.end()
      drafting.cancel()
      clearTimeout(handInTimer)
    },
  }
}
