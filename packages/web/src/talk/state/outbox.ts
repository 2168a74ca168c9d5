/*
 * Messages on their way: one queue for each conversation. A message that fails holds those behind it, so the order in
 * which they were written is the order in which they are stored. The queue outlives the page, its files in a database of
 * their own (outgoing-files.ts). Each message keeps its uuid, so sending again never makes a second one ([R295]).
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
import { removeFile, removeOtherFiles, storedFile, storeFile } from './outgoing-files.ts'
import type { KnownUpload } from './upload.ts'
import { newUuid } from './uuid.ts'

type Sent = Omit<Input<(typeof calls)['imSend']>, 'conversationId' | 'uuid'>

/** What is known of a file that is sent, also when the page was loaded again. */
export interface OutgoingFile {
  readonly name: string
  readonly size: number
  /** Of a picture. */
  readonly width?: number
  readonly height?: number
}

export interface Outgoing {
  readonly uuid: string
  readonly conversationId: number
  readonly message: Sent
  /** A picture or file that is uploaded first. */
  readonly file?: OutgoingFile
  readonly time: number
  /** `WAIT`: behind another one, or no connection. */
  readonly send: 'WAIT' | 'ING' | 'ERR'
  readonly reason?: string
  /** Its file is no longer in this browser: the person chooses it again. */
  readonly isLost?: boolean
  /** Of an upload, 0 to 100. */
  readonly done?: number
  /** Of an upload: what the server knows already. */
  readonly begun?: KnownUpload
}

/** The messages on their way, in the order in which they were written. */
export const outboxStore = createStore<{ readonly list: readonly Outgoing[] }>(() => ({ list: [] }))

const storageKey = (): string => `im__outbox.${myId()}`

/** The contents of files of this page. */
const contents = new Map<string, File>()
/** The messages that this tab has had; those of other tabs stay in the stored list as they are. */
const own = new Set<string>()

function readStored(): readonly Outgoing[] {
  try {
    return JSON.parse(stored(storageKey()) ?? '[]') as Outgoing[]
  } catch {
    return []
  }
}

function save(): void {
  const others = readStored().filter(({ uuid }) => !own.has(uuid))
  const all = [...others, ...outboxStore.getState().list]
  store(storageKey(), all.length === 0 ? undefined : JSON.stringify(all))
}

function change(uuid: string, by: Partial<Outgoing>): void {
  outboxStore.setState(({ list }) => ({ list: list.map((one) => (one.uuid === uuid ? { ...one, ...by } : one)) }))
}

function remove(uuid: string): void {
  if (outboxStore.getState().list.some((one) => one.uuid === uuid && one.file !== undefined)) {
    contents.delete(uuid)
    void removeFile(myId(), uuid)
  }
  outboxStore.setState(({ list }) => ({ list: list.filter((one) => one.uuid !== uuid) }))
  aborts.get(uuid)?.abort()
  aborts.delete(uuid)
  save()
}

const aborts = new Map<string, AbortController>()
const running = new Set<number>()

/** Adds a message to the end of the queue of its conversation. */
export function sendMessage(
  conversationId: number,
  message: Sent,
  file?: { readonly content: File; readonly width?: number; readonly height?: number },
): void {
  const uuid = newUuid()
  const one: Outgoing = { uuid, conversationId, message, time: Date.now(), send: 'WAIT' }
  own.add(uuid)
  if (file !== undefined) {
    const { content, ...size } = file
    contents.set(uuid, content)
    void storeFile(myId(), uuid, content)
    return enqueue({ ...one, file: { name: content.name, size: content.size, ...size } })
  }
  enqueue(one)
}

function enqueue(one: Outgoing): void {
  outboxStore.setState(({ list }) => ({ list: [...list, one] }))
  save()
  void run(one.conversationId)
}

/** Sends a message whose file was lost with the file that the person has chosen again. */
export function sendWithFile(uuid: string, content: File): void {
  const one = outboxStore.getState().list.find((entry) => entry.uuid === uuid)
  if (one?.file === undefined) return
  contents.set(uuid, content)
  void storeFile(myId(), uuid, content)
  const { name, size } = content
  // Parts that have arrived belong to the file that they were cut from.
  const isSame = one.file.name === name && one.file.size === size
  const { width: _width, height: _height, ...known } = one.file
  change(uuid, { isLost: false, ...(!isSame && { file: { ...known, name, size }, begun: {} }) })
  resend(uuid)
}

/** Sends a failed message again, and then those behind it. */
export function resend(uuid: string): void {
  const one = outboxStore.getState().list.find((entry) => entry.uuid === uuid)
  if (one === undefined) return
  change(uuid, { send: 'WAIT' })
  save()
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

/** The file of a message is no longer in this browser. */
class FileLost extends Error {
  override name = 'FileLost'
}

/** The part of the engine that uploads is loaded with the first file. */
async function upload(one: Outgoing, { width, height }: OutgoingFile): Promise<number> {
  const content = contents.get(one.uuid) ?? (await storedFile(myId(), one.uuid))
  if (content === undefined) throw new FileLost()
  contents.set(one.uuid, content)
  const abort = new AbortController()
  aborts.set(one.uuid, abort)
  const { uploadToChat } = await import('./upload.ts')
  const picture = one.message.type === 'img'
  const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
  return uploadToChat({ content, picture, ...size, conversationId: one.conversationId }, one.begun ?? {}, {
    onProgress: (sent) =>
      change(one.uuid, { done: content.size === 0 ? 100 : Math.floor((100 * sent) / content.size) }),
    signal: abort.signal,
    record: (begun) => {
      change(one.uuid, { begun })
      save()
    },
  })
}

async function deliver(one: Outgoing): Promise<TalkMessage> {
  const { conversationId, uuid, file } = one
  let { message } = one
  if (file !== undefined && message.fileId === undefined) {
    message = { ...message, fileId: await upload(one, file) }
    change(uuid, { message })
    save()
  }
  return post({ ...message, conversationId, uuid })
}

/**
 * Milliseconds until a message whose request was lost is sent once more. A page that is left loses its requests too, and
 * ends sooner: it stores no failure, and the next page sends the message.
 */
const againMs = 1000

async function post(message: Input<(typeof calls)['imSend']>): Promise<TalkMessage> {
  const send = (): Promise<TalkMessage> => api.of(mainServer).imSend(message)
  try {
    return await send()
  } catch (error) {
    if (!isLost(error) || !isConnected()) throw error
    await new Promise((resolve) => setTimeout(resolve, againMs))
    if (!outboxStore.getState().list.some(({ uuid }) => uuid === message.uuid)) throw error
    return send()
  }
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
        const isFileLost = error instanceof FileLost
        const reason = isFileLost ? t('im.fileLost') : error instanceof Error ? error.message : ''
        change(one.uuid, { send: isOffline ? 'WAIT' : 'ERR', reason, isLost: isFileLost })
        save()
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
  const left = readStored()
  if (outboxStore.getState().list.length === 0) {
    for (const { uuid } of left) own.add(uuid)
    outboxStore.setState({ list: left.map((one) => ({ ...one, send: one.send === 'ERR' ? 'ERR' : 'WAIT' })) })
  }
  void removeOtherFiles(myId(), new Set(left.map(({ uuid }) => uuid)))
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
