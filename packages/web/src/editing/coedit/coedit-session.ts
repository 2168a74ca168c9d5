/*
 * The co-editing session of one document in this page. Changes are stored in this browser within two seconds and sent
 * at once, one after the other; a sent change counts when the server has confirmed it.
 *
 * Without a network editing continues and is merged on reconnect. A workbook is read-only while offline, because the
 * last write to a cell wins; the user is asked about its unsent changes. A user who loses the write permission
 * continues as a reader, and keeps a copy of the unsent changes.
 *
 * During an input method composition the composed text is not sent and remote changes are not applied, because editors
 * lose a composition when the text around it changes.
 */
import type { Answer, CoeditMember, calls, PushPayload } from '@cloudoc/contract'
import * as Y from 'yjs'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { CallError } from '../../core/call/api.ts'
import { createAwareness } from './awareness.ts'
import { type NamedTimers, openTimers } from './named-timers.ts'
import { openUnsentChanges, type UnsentChanges } from './unsent-changes.ts'

export type JoinedSession = Answer<typeof calls.joinTogether>

export interface CoeditState {
  /**
   * `offline` recovers automatically. `asks` waits until the user decides about the unsent changes. `over` is final:
   * `why` is the reason.
   */
  readonly status: 'stored' | 'sending' | 'offline' | 'asks' | 'over'
  /** The newest version, and whether it contains all changes. */
  readonly version: number
  readonly isVersion: boolean
  readonly members: readonly CoeditMember[]
  /** Why the document is currently read-only; empty if it is writable. */
  readonly why: string
}

/** The dependencies of a session. */
export interface CoeditPorts {
  readonly join: (known: { generation: number; client: number; vector: string }) => Promise<JoinedSession>
  readonly edit: (change: { generation: number; client: number; update: string }) => Promise<{ readonly seq: number }>
  readonly present: (where: {
    generation: number
    client: number
    cursor: string
    leaves: boolean
  }) => Promise<Answer<typeof calls.presentTogether>>
  readonly save: (generation: number) => Promise<Answer<typeof calls.saveTogether>>
  /** Stores the unsent changes. */
  readonly storeUnsent: (unsent: Uint8Array) => Promise<unknown>
  /** Whether other users have changed the same content; only for documents where the last write wins. */
  readonly clashes?: () => boolean
  readonly dropUnsent: () => Promise<unknown>
  /** Whether the server pushes changes. */
  readonly isPushed: () => boolean
  /** The document has a new generation; only if it can be followed. */
  readonly renewed?: () => void
  /** The messages for the end of the session. */
  readonly texts: { readonly noRight: string }
}

const presentEveryMs = 10_000
const askEveryMs = 1000
const cursorAfterMs = 120
const retryFirstMs = 500
const retryMaxMs = 5000
/** A change that arrives out of order is expected within this time. */
const gapMs = 800
/** After a shorter time offline, the user is not asked about changes that conflict with nobody. */
const shortAwayMs = 10_000

export const toBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

export const isAway = ({ code }: CallError): boolean =>
  code === 'network' ||
  code === 'timeout' ||
  code === 'http' ||
  code === 'serverException' ||
  code === 'storageUnavailable'

export type CoeditSession = ReturnType<typeof openCoeditSession>

/** A document without the formatting cleanup of Yjs after remote changes, so that receiving does not modify it. */
function openDoc(client: number): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = client
  doc.on('afterTransaction', (transaction: Y.Transaction) => {
    Object.assign(transaction, { _needFormattingCleanup: false })
  })
  return doc
}

const openStore = ({ version, savedSeq, seq, members, canWrite }: JoinedSession, { texts }: CoeditPorts) =>
  createStore<CoeditState>(() => ({
    status: 'stored',
    version,
    isVersion: savedSeq >= seq,
    members,
    why: canWrite ? '' : texts.noRight,
  }))

/** Applies the changes of other users to the document, after a composition in it has ended. */
function openReceiver(doc: Y.Doc) {
  const arrived: Uint8Array[] = []
  let isComposing = false
  return {
    takeIn: (...updates: readonly string[]): void => {
      arrived.push(...updates.map(fromBase64))
      if (isComposing) return
      doc.transact(() => {
        for (const update of arrived.splice(0)) Y.applyUpdate(doc, update)
      }, 'server')
    },
    isComposing: (): boolean => isComposing,
    compose(is: boolean): void {
      isComposing = is
    },
  }
}

interface SenderOptions {
  readonly joined: JoinedSession
  readonly doc: Y.Doc
  readonly ports: CoeditPorts
  readonly store: StoreApi<CoeditState>
  readonly changes: UnsentChanges
  readonly timers: NamedTimers
  readonly isComposing: () => boolean
  readonly isOver: () => boolean
  readonly catchUp: () => Promise<void>
  readonly end: (why: string) => void
}

type Sender = ReturnType<typeof openSender>

/** Sends the changes one after the other, and again after a failure. */
function openSender({
  joined: { generation, client },
  doc,
  ports,
  store,
  changes,
  timers,
  isComposing,
  isOver,
  catchUp,
  end,
}: SenderOptions) {
  const set = (some: Partial<CoeditState>): void => store.setState(some)
  let againMs = retryFirstMs
  /** The start of the offline time, if the user has to be asked about unsent changes. */
  let awaySince: number | undefined
  let flushing: Promise<void> | undefined
  const isToSend = (): boolean => changes.isSending() || (changes.hasWaiting() && !isComposing())

  /** Handles a failed request: permanent or temporary. */
  const failed = (error: unknown, again: () => void): void => {
    if (!(error instanceof CallError)) throw error
    if (isAway(error)) {
      if (ports.clashes !== undefined) awaySince ??= Date.now()
      set({ status: 'offline' })
      void changes.keepNow()
      timers.later('again', againMs, again)
      againMs = Math.min(againMs * 2, retryMaxMs)
    } else if (error.code === 'fileConflict' && ports.renewed !== undefined) ports.renewed()
    else if (error.code === 'noPermission' || error.code === 'restrictedDocument' || error.code === 'secretLevel')
      set({ why: error.message })
    else end(error.message)
  }

  /**
   * Whether unsent changes may be sent automatically, or the user has to decide; evaluated when the server is reachable
   * again.
   */
  const mayGo = async (): Promise<boolean> => {
    if (awaySince === undefined || !changes.isDirty()) return true
    await catchUp()
    if (Date.now() - awaySince > shortAwayMs || ports.clashes?.() === true) {
      set({ status: 'asks' })
      void changes.keepNow()
      return false
    }
    return true
  }

  /** The state vector of the document on the server. */
  const serverVector = async (): Promise<Uint8Array> => {
    const whole = new Y.Doc()
    const now = await ports.join({ generation, client, vector: '' })
    Y.applyUpdate(whole, fromBase64(now.update))
    const vector = Y.encodeStateVector(whole)
    whole.destroy()
    return vector
  }

  const flush = async (): Promise<void> => {
    if (store.getState().status === 'asks') return
    try {
      if (!(await mayGo())) return
    } catch (error) {
      return failed(error, () => void send())
    }
    awaySince = undefined
    while (isToSend() && store.getState().why === '' && !isOver()) {
      const update = changes.next()
      set({ status: 'sending', isVersion: false })
      try {
        await ports.edit({ generation, client, update: toBase64(update) })
        changes.confirmed()
        againMs = retryFirstMs
        if (changes.hasWaiting()) continue
        set({ status: 'stored' })
        await ports.dropUnsent()
      } catch (error) {
        // While this page was offline all others have left, or the server lacks a change: joins again.
        if (error instanceof CallError && (error.code === 'noEditLock' || error.code === 'fileConflict')) {
          try {
            await catchUp()
            if (store.getState().why !== '') return
            changes.replace(Y.encodeStateAsUpdate(doc, await serverVector()))
            await ports.edit({ generation, client, update: toBase64(changes.next()) })
            changes.confirmed()
            set({ status: 'stored' })
            continue
          } catch (second) {
            return failed(second, () => void send())
          }
        }
        return failed(error, () => void send())
      }
    }
  }
  const send = (): Promise<void> => {
    flushing ??= flush().finally(() => {
      flushing = undefined
      if (isToSend() && store.getState().status === 'stored') void send()
    })
    return flushing
  }
  return {
    send,
    failed,
    retryAtOnce(): void {
      againMs = retryFirstMs
    },
    /** The server is reachable again. */
    reached(): void {
      againMs = retryFirstMs
      if (changes.isDirty()) void send()
      else {
        awaySince = undefined
        set({ status: 'stored' })
      }
    },
  }
}

/** Starts the session of a joined document; `unsent` is the stored unsent change. */
export function openCoeditSession(joined: JoinedSession, ports: CoeditPorts, unsent?: Uint8Array) {
  const { generation, client } = joined
  const doc = openDoc(client)
  const store = openStore(joined, ports)
  const set = (some: Partial<CoeditState>): void => store.setState(some)
  let known = joined.seq
  let cursor = ''
  let isOver = false
  let catching: Promise<void> | undefined
  /** The last presence request. An answer that arrives after this page has left would register it again. */
  let presenting: Promise<unknown> = Promise.resolve()
  const timers = openTimers()
  const changes = openUnsentChanges((own) => ports.storeUnsent(own))
  const { isDirty, keepNow } = changes
  const isWaiting = (): boolean => ['offline', 'asks'].includes(store.getState().status)

  const receiver = openReceiver(doc)
  const { takeIn, isComposing } = receiver
  takeIn(joined.update)
  const others = createAwareness(doc, (now) => {
    cursor = now
    timers.later('cursor', cursorAfterMs, () => void present())
  })
  const people = (members: readonly CoeditMember[]): void => {
    set({ members })
    others.set(members)
    const own = members.find((member) => member.client === client)
    if (own === undefined || store.getState().status === 'over') return
    set({ why: own.canWrite ? '' : ports.texts.noRight })
    if (own.canWrite && isDirty() && !isWaiting()) void send()
  }

  /** Ends the session: the content can still be read and copied. */
  const end = (why: string): void => {
    void keepNow()
    set({ status: 'over', why })
    changes.cancelKeeping()
    timers.clear()
  }

  /**
   * Fetches the missing changes, and acquires the lock again if it has expired. The server may have another generation
   * by then.
   */
  const catchUp = (): Promise<void> => {
    catching ??= (async () => {
      const vector = toBase64(Y.encodeStateVector(doc))
      const now = await ports.join({ generation, client, vector })
      takeIn(now.update)
      known = Math.max(known, now.seq)
      set({ version: now.version, isVersion: now.savedSeq >= now.seq })
      people(now.members)
    })().finally(() => {
      catching = undefined
    })
    return catching
  }
  const catchUpSoon = (): void => {
    catchUp().catch((error: unknown) => failed(error, catchUpSoon))
  }

  const state = { isComposing, isOver: () => isOver }
  const sender: Sender = openSender({ joined, doc, ports, store, changes, timers, ...state, catchUp, end })
  const { send, failed } = sender

  const present = async (): Promise<void> => {
    if (isOver || store.getState().status === 'over') return
    try {
      const asked = ports.present({ generation, client, cursor, leaves: false })
      presenting = Promise.allSettled([presenting, asked])
      const now = await asked
      people(now.members)
      set({ version: now.version, isVersion: now.savedSeq >= now.seq && !isDirty() })
      if (now.seq > known) {
        timers.later('gap', gapMs, () => {
          if (now.seq > known) catchUpSoon()
        })
      }
      if (store.getState().status === 'offline') sender.reached()
    } catch (error) {
      failed(error, () => void present())
    }
  }
  const beat = setInterval(() => void present(), presentEveryMs)
  const asking = setInterval(() => {
    if (!ports.isPushed() && store.getState().status !== 'offline') void present()
  }, askEveryMs)

  const stop = (): void => {
    isOver = true
    clearInterval(beat)
    clearInterval(asking)
    changes.cancelKeeping()
    timers.close()
  }

  doc.on('update', (change: Uint8Array, origin: unknown) => {
    if (origin === 'server') return
    changes.add(change)
    if (!isWaiting() && !isComposing()) void send()
  })
  if (unsent !== undefined) Y.applyUpdate(doc, unsent, 'kept')
  others.set(joined.members)

  return {
    doc,
    others,
    store,
    generation,
    client,
    isDirty,
    keepNow,
    /** Sends the pending changes. */
    sent: send,
    /** Reports that a structure operation starts or ends. */
    building(is: boolean): void {
      if (['stored', 'sending'].includes(store.getState().status))
        set({ status: is || isDirty() ? 'sending' : 'stored' })
    },
    /** Ends this session because another generation continues it. */
    retire: stop,
    /** Handles a push message about changes. */
    told(news: PushPayload<'togetherChanged'>): void {
      if (news.generation > generation && !isOver) ports.renewed?.()
      if (news.generation !== generation || store.getState().status === 'over') return
      if (news.from <= known) {
        takeIn(...news.updates)
        known = Math.max(known, news.seq)
      } else if (news.seq > known) catchUpSoon()
      people(news.members)
      set({ version: news.version, isVersion: news.savedSeq >= news.seq && !isDirty() })
    },
    /** An input method composition starts or ends. */
    composing(is: boolean): void {
      receiver.compose(is)
      if (is) return
      takeIn()
      if (isDirty() && !isWaiting()) void send()
    },
    /** The co-editing session was forcibly ended for all members ([R339]). */
    ended: end,
    /** Retries immediately, because the network is or may be back. */
    async tryNow(): Promise<void> {
      sender.retryAtOnce()
      await present()
    },
    /** Saves a version; returns true if there is one. */
    async save(): Promise<boolean> {
      await send()
      if (isDirty()) return false
      const { version, savedSeq } = await ports.save(generation)
      set({ version, isVersion: savedSeq >= known })
      return true
    },
    /** Leaves the session; unsent changes stay stored in this browser. */
    async close(): Promise<void> {
      receiver.compose(false)
      if (isDirty() && store.getState().status !== 'over') await send()
      await keepNow()
      stop()
      await Promise.allSettled([presenting, catching])
      await ports.present({ generation, client, cursor: '', leaves: true }).catch(() => undefined)
      doc.destroy()
    },
  }
}
