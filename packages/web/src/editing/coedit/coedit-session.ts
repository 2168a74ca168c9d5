/*
 * One document that is written together, as this page has it. What is typed is kept in this browser within two seconds and
 * sent at once, one change after the other; what was sent counts when the server has answered. Without a network it goes
 * on, and merges when there is one again; in a workbook, where the last who writes into a cell has written it, it is read
 * meanwhile, and what was not sent is asked about. Whoever may write no longer reads on, and what they could not send is
 * theirs to keep. While somebody composes with an input method what they compose is not sent, and nothing of others comes in,
 * as no surface keeps a composition whose words are changed around it.
 */
import type { Answer, CoeditMember, calls, PushPayload } from '@cloudoc/contract'
import * as Y from 'yjs'
import { createStore } from 'zustand/vanilla'
import { CallError } from '../../core/call/api.ts'
import { createAwareness } from './awareness.ts'

export type JoinedSession = Answer<typeof calls.joinTogether>

export interface CoeditState {
  /** `offline` goes on by itself; `asks` when somebody says what of theirs counts; `over` not: `why` says what has ended it. */
  readonly status: 'stored' | 'sending' | 'offline' | 'asks' | 'over'
  /** The newest version, and whether everything that is there is in it. */
  readonly version: number
  readonly isVersion: boolean
  readonly members: readonly CoeditMember[]
  /** Why it can only be read now; empty where it can be written. */
  readonly why: string
}

/** What it needs of the rest. */
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
  /** Keeps what has not been sent. */
  readonly storeUnsent: (unsent: Uint8Array) => Promise<unknown>
  /** Whether others have written what has not been sent either; only where one takes the place of the other. */
  readonly clashes?: () => boolean
  readonly dropUnsent: () => Promise<unknown>
  /** Whether the server tells by itself what is new. */
  readonly isPushed: () => boolean
  /** The document has begun anew, where that can be followed. */
  readonly renewed?: () => void
  /** The words for what ends it. */
  readonly texts: { readonly noRight: string }
}

const keepAfterMs = 1500
const presentEveryMs = 10_000
const askEveryMs = 1000
const cursorAfterMs = 120
const retryFirstMs = 500
const retryMaxMs = 5000
/** A change that was told late follows within this time. */
const gapMs = 800
/** Away for no longer than this, nobody has to be asked about what nobody else has written. */
const shortAwayMs = 10_000
/** Bytes that are sent at once; more than this was typed without a network. */
const sentAtOnce = 180 * 1024

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

/** Goes on with a document that was joined; `unsent` is what this browser has kept of it. */
export function openCoeditSession(joined: JoinedSession, ports: CoeditPorts, unsent?: Uint8Array) {
  const { generation, client } = joined
  const doc = new Y.Doc()
  doc.clientID = client
  // Who is told of a change changes nothing by that: marks that say nothing new stay where they are.
  doc.on('afterTransaction', (transaction: Y.Transaction) => {
    Object.assign(transaction, { _needFormattingCleanup: false })
  })
  const store = createStore<CoeditState>(() => ({
    status: 'stored',
    version: joined.version,
    isVersion: joined.savedSeq >= joined.seq,
    members: joined.members,
    why: joined.canWrite ? '' : ports.texts.noRight,
  }))
  const set = (some: Partial<CoeditState>): void => store.setState(some)
  let known = joined.seq
  let waiting: Uint8Array[] = []
  let sending: Uint8Array | undefined
  let againMs = retryFirstMs
  let cursor = ''
  let isOver = false
  let isComposing = false
  /** What others have written meanwhile. */
  const arrived: Uint8Array[] = []
  let flushing: Promise<void> | undefined
  let catching: Promise<void> | undefined
  /** The last that was asked of who is here: an answer to it after this page has left would have it come back. */
  let presenting: Promise<unknown> = Promise.resolve()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const later = (name: string, ms: number, work: () => void): void => {
    if (timers.has(name) || isOver) return
    timers.set(
      name,
      setTimeout(() => {
        timers.delete(name)
        work()
      }, ms),
    )
  }

  const takeIn = (...updates: readonly string[]): void => {
    arrived.push(...updates.map(fromBase64))
    if (isComposing) return
    doc.transact(() => {
      for (const update of arrived.splice(0)) Y.applyUpdate(doc, update)
    }, 'server')
  }
  takeIn(joined.update)
  /** Since when nothing could be sent, where that has to be asked about. */
  let awaySince: number | undefined
  const others = createAwareness(doc, (now) => {
    cursor = now
    later('cursor', cursorAfterMs, () => void present())
  })
  const people = (members: readonly CoeditMember[]): void => {
    set({ members })
    others.set(members)
    const own = members.find((member) => member.client === client)
    if (own === undefined || store.getState().status === 'over') return
    set({ why: own.canWrite ? '' : ports.texts.noRight })
    if (own.canWrite && isDirty() && !isWaiting()) void send()
  }

  const unsentNow = (): Uint8Array | undefined => {
    const all = sending === undefined ? waiting : [sending, ...waiting]
    return all.length === 0 ? undefined : Y.mergeUpdates(all)
  }
  const isWaiting = (): boolean => ['offline', 'asks'].includes(store.getState().status)
  const isToSend = (): boolean => sending !== undefined || (waiting.length > 0 && !isComposing)
  const isDirty = (): boolean => sending !== undefined || waiting.length > 0
  const keepNow = async (): Promise<void> => {
    const own = unsentNow()
    if (own !== undefined) await ports.storeUnsent(own)
  }

  /** It has ended: what is here can be read and copied. */
  const end = (why: string): void => {
    void keepNow()
    set({ status: 'over', why })
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
  }

  /** What was refused for good, and what for now. */
  const failed = (error: unknown, again: () => void): void => {
    if (!(error instanceof CallError)) throw error
    if (isAway(error)) {
      if (ports.clashes !== undefined) awaySince ??= Date.now()
      set({ status: 'offline' })
      void keepNow()
      later('again', againMs, again)
      againMs = Math.min(againMs * 2, retryMaxMs)
    } else if (error.code === 'fileConflict' && ports.renewed !== undefined) ports.renewed()
    else if (error.code === 'noPermission' || error.code === 'secretLevel') set({ why: error.message })
    else end(error.message)
  }

  /** Brings what is lacking here, and the lock where it has run out; the others' server may have another document by now. */
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

  /** Whether what was not sent may go by itself, or somebody has to say so; asked when the server is back. */
  const mayGo = async (): Promise<boolean> => {
    if (awaySince === undefined || !isDirty()) return true
    await catchUp()
    if (Date.now() - awaySince > shortAwayMs || ports.clashes?.() === true) {
      set({ status: 'asks' })
      void keepNow()
      return false
    }
    return true
  }

  const flush = async (): Promise<void> => {
    if (store.getState().status === 'asks') return
    try {
      if (!(await mayGo())) return
    } catch (error) {
      return failed(error, () => void send())
    }
    awaySince = undefined
    while (isToSend() && store.getState().why === '' && !isOver) {
      if (sending === undefined) {
        let bytes = 0
        const count = waiting.findIndex((each) => (bytes += each.length) > sentAtOnce)
        const next = count < 0 ? waiting : waiting.slice(0, Math.max(1, count))
        waiting = waiting.slice(next.length)
        sending = Y.mergeUpdates(next)
      }
      set({ status: 'sending', isVersion: false })
      try {
        await ports.edit({ generation, client, update: toBase64(sending) })
        sending = undefined
        againMs = retryFirstMs
        if (waiting.length > 0) continue
        set({ status: 'stored' })
        await ports.dropUnsent()
      } catch (error) {
        // While this page was away the others have left, or the server lacks something: it is joined again.
        if (error instanceof CallError && (error.code === 'noEditLock' || error.code === 'fileConflict')) {
          try {
            await catchUp()
            if (store.getState().why !== '') return
            sending = Y.encodeStateAsUpdate(doc, await serverVector())
            waiting = []
            await ports.edit({ generation, client, update: toBase64(sending) })
            sending = undefined
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
  /** What the server has of this document. */
  const serverVector = async (): Promise<Uint8Array> => {
    const whole = new Y.Doc()
    const now = await ports.join({ generation, client, vector: '' })
    Y.applyUpdate(whole, fromBase64(now.update))
    const vector = Y.encodeStateVector(whole)
    whole.destroy()
    return vector
  }
  const send = (): Promise<void> => {
    flushing ??= flush().finally(() => {
      flushing = undefined
      if (isToSend() && store.getState().status === 'stored') void send()
    })
    return flushing
  }

  const present = async (): Promise<void> => {
    if (isOver || store.getState().status === 'over') return
    try {
      const asked = ports.present({ generation, client, cursor, leaves: false })
      presenting = Promise.allSettled([presenting, asked])
      const now = await asked
      people(now.members)
      set({ version: now.version, isVersion: now.savedSeq >= now.seq && !isDirty() })
      if (now.seq > known) {
        later('gap', gapMs, () => {
          if (now.seq > known) catchUpSoon()
        })
      }
      if (store.getState().status === 'offline') {
        againMs = retryFirstMs
        if (isDirty()) void send()
        else {
          awaySince = undefined
          set({ status: 'stored' })
        }
      }
    } catch (error) {
      failed(error, () => void present())
    }
  }
  const beat = setInterval(() => void present(), presentEveryMs)
  const asking = setInterval(() => {
    if (!ports.isPushed() && store.getState().status !== 'offline') void present()
  }, askEveryMs)

  doc.on('update', (change: Uint8Array, origin: unknown) => {
    if (origin === 'server') return
    waiting.push(change)
    later('keep', keepAfterMs, () => void keepNow())
    if (!isWaiting() && !isComposing) void send()
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
    /** What was written is on its way. */
    sent: send,
    /** The build of what is written is changed, or is not any more. */
    building(is: boolean): void {
      if (['stored', 'sending'].includes(store.getState().status))
        set({ status: is || isDirty() ? 'sending' : 'stored' })
    },
    /** Another document goes on with it. */
    retire(): void {
      isOver = true
      clearInterval(beat)
      clearInterval(asking)
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
    /** The server tells what is new. */
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
    /** Somebody composes with an input method, or does not any more. */
    composing(is: boolean): void {
      isComposing = is
      if (is) return
      takeIn()
      if (isDirty() && !isWaiting()) void send()
    },
    /** Somebody has ended that the file is edited, for everybody ([R339]). */
    ended: end,
    /** Everything that was typed is on its way or there; the network is back, or may be. */
    async tryNow(): Promise<void> {
      againMs = retryFirstMs
      await present()
    },
    /** Makes a version of it; true where there is one. */
    async save(): Promise<boolean> {
      await send()
      if (isDirty()) return false
      const { version, savedSeq } = await ports.save(generation)
      set({ version, isVersion: savedSeq >= known })
      return true
    },
    /** Leaves; what was not sent stays in this browser. */
    async close(): Promise<void> {
      isComposing = false
      if (isDirty() && store.getState().status !== 'over') await send()
      await keepNow()
      isOver = true
      clearInterval(beat)
      clearInterval(asking)
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.allSettled([presenting, catching])
      await ports.present({ generation, client, cursor: '', leaves: true }).catch(() => undefined)
      doc.destroy()
    },
  }
}
