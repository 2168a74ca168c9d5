/*
 * Messages on their way: one queue for each conversation. A message that fails holds those behind it, so the order in
 * which they were written is the order in which they are stored. Texts outlive the page; each keeps its uuid, so sending
 * again never makes a second message ([R295]).
 */
import type { calls, Input, TalkMessage } from '@cloudoc/contract'
import { createStore } from 'zustand'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { store, stored } from '../../core/storage/storage.ts'
import { toast } from '../../core/toast/toast.ts'
import { TransferFailure } from '../../transfer/engine/states.ts'
import { myId } from './chats.ts'
import { showMessage } from './conversation.ts'
import type { KnownUpload } from './upload.ts'
import { newUuid } from './uuid.ts'

type Sent = Omit<Input<(typeof calls)['imSend']>, 'conversationId' | 'uuid'>

export interface Outgoing {
  readonly uuid: string
  readonly conversationId: number
  readonly message: Sent
  /** A picture or file that is uploaded first. */
  readonly file?: { readonly content: File; readonly width?: number; readonly height?: number }
  readonly time: number
  /** `WAIT`: behind another one, or no connection. */
  readonly send: 'WAIT' | 'ING' | 'ERR'
  readonly reason?: string
  /** Of an upload, 0 to 100. */
  readonly done?: number
  /** Of an upload: what the server knows already. */
  readonly begun?: KnownUpload
}

/** The messages on their way, in the order in which they were written. */
export const outboxStore = createStore<{ readonly list: readonly Outgoing[] }>(() => ({ list: [] }))

const storageKey = (): string => `im__outbox.${myId()}`

function save(): void {
  const texts = outboxStore.getState().list.filter(({ file }) => file === undefined)
  store(storageKey(), texts.length === 0 ? undefined : JSON.stringify(texts))
}

function change(uuid: string, by: Partial<Outgoing>): void {
  outboxStore.setState(({ list }) => ({ list: list.map((one) => (one.uuid === uuid ? { ...one, ...by } : one)) }))
}

function remove(uuid: string): void {
  outboxStore.setState(({ list }) => ({ list: list.filter((one) => one.uuid !== uuid) }))
  aborts.get(uuid)?.abort()
  aborts.delete(uuid)
  save()
}

const aborts = new Map<string, AbortController>()
const running = new Set<number>()

/** Adds a message to the end of the queue of its conversation. */
export function sendMessage(conversationId: number, message: Sent, file?: Outgoing['file']): void {
  const one: Outgoing = {
    uuid: newUuid(),
    conversationId,
    message,
    time: Date.now(),
    send: 'WAIT',
    ...(file !== undefined && { file }),
  }
  outboxStore.setState(({ list }) => ({ list: [...list, one] }))
  save()
  void run(conversationId)
}

/** Sends a failed message again, and then those behind it. */
export function resend(uuid: string): void {
  const one = outboxStore.getState().list.find((entry) => entry.uuid === uuid)
  if (one === undefined) return
  change(uuid, { send: 'WAIT' })
  void run(one.conversationId)
}

/** Gives a message up; those behind it go on. */
export function discard(uuid: string): void {
  const one = outboxStore.getState().list.find((entry) => entry.uuid === uuid)
  remove(uuid)
  if (one === undefined) return
  const { conversationId, begun } = one
  if (begun?.uploadId !== undefined)
    void api.imUploadAbort({ conversationId, uploadId: begun.uploadId }, { quiet: true }).catch(() => undefined)
  void run(conversationId)
}

/** The part of the engine that uploads is loaded with the first file. */
async function upload(one: Outgoing, file: NonNullable<Outgoing['file']>): Promise<number> {
  const { content } = file
  const abort = new AbortController()
  aborts.set(one.uuid, abort)
  const { uploadToChat } = await import('./upload.ts')
  return uploadToChat({ ...file, conversationId: one.conversationId }, one.begun ?? {}, {
    onProgress: (sent) =>
      change(one.uuid, { done: content.size === 0 ? 100 : Math.floor((100 * sent) / content.size) }),
    signal: abort.signal,
    record: (begun) => change(one.uuid, { begun }),
  })
}

async function deliver(one: Outgoing): Promise<TalkMessage> {
  const { conversationId, uuid, file } = one
  let { message } = one
  if (file !== undefined && message.fileId === undefined) {
    message = { ...message, fileId: await upload(one, file) }
    change(uuid, { message })
  }
  return api.of(mainServer).imSend({ ...message, conversationId, uuid })
}

const isLost = (error: unknown): boolean =>
  (error instanceof CallError && (error.code === 'network' || error.code === 'timeout')) ||
  (error instanceof TransferFailure && error.code === 'network')

/** Works through the queue of one conversation until it is empty, fails, or the connection is lost. */
async function run(conversationId: number): Promise<void> {
  if (running.has(conversationId)) return
  running.add(conversationId)
  try {
    for (;;) {
      const one = outboxStore.getState().list.find((entry) => entry.conversationId === conversationId)
      if (one === undefined || one.send === 'ERR') return
      change(one.uuid, { send: 'ING' })
      try {
        const message = await deliver(one)
        showMessage(message)
        remove(one.uuid)
      } catch (error) {
        if (!outboxStore.getState().list.some(({ uuid }) => uuid === one.uuid)) continue
        const isOffline = isLost(error) && !isConnected()
        const reason = error instanceof Error ? error.message : ''
        change(one.uuid, { send: isOffline ? 'WAIT' : 'ERR', reason })
        // An upload that fails is also told by itself ([R303]).
        if (!isOffline && one.file !== undefined && error instanceof TransferFailure)
          toast({ text: t('im.imError'), kind: 'error', key: 'im-error' })
        return
      }
    }
  } finally {
    running.delete(conversationId)
  }
}

const isConnected = (): boolean => {
  const { channel, reached } = connectionStore.getState()
  return reached || channel === 'online'
}

/** Goes on with all queues. */
function runAll(): void {
  for (const id of new Set(outboxStore.getState().list.map(({ conversationId }) => conversationId))) void run(id)
}

/** Loads what the last page of this person left unsent, and sends whenever there is a connection. */
export function followOutbox(): () => void {
  const left = stored(storageKey())
  if (left !== undefined && outboxStore.getState().list.length === 0) {
    try {
      const list = (JSON.parse(left) as Outgoing[]).map(
        (one): Outgoing => ({ ...one, send: one.send === 'ERR' ? 'ERR' : 'WAIT' }),
      )
      outboxStore.setState({ list })
    } catch {
      store(storageKey(), undefined)
    }
  }
  runAll()
  const online = (): void => runAll()
  window.addEventListener('online', online)
  const stop = connectionStore.subscribe((now, before) => {
    if ((now.channel === 'online' && before.channel !== 'online') || (now.reached && !before.reached)) runAll()
  })
  return () => {
    window.removeEventListener('online', online)
    stop()
  }
}
