/*
 * A draft while it is written. Changes are saved on the server after a while, one after another; what is not saved yet is
 * kept in the browser, so that it is there after a crash.
 */
import type { OutgoingMail } from '@cloudoc/contract'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { api, CallError, mainServer } from '../core/call/api.ts'
import { t as said } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { openWindow } from '../core/windows/index.ts'
import { copyOf, dropCopy, keepCopy, type Written } from './draft-copies.ts'
import { refetchMail, uploadAttachment } from './mail-queries.ts'

const saveAfterMs = 1500

/** What is written, and how far it is saved. */
export function useDraft(draft: OutgoingMail) {
  const { outgoingId } = draft
  // What was written on this version and did not reach the server is gone on with.
  const [left] = useState(() => copyOf(draft.outgoingId))
  const isBehind = left?.version === draft.version
  const [written, setWritten] = useState<Written>(isBehind ? left.written : draft)
  const [attachments, setAttachments] = useState(draft.attachments)
  const [saved, setSaved] = useState<{ state: 'saved' | 'saving' | 'unsaved' | 'conflict'; at: number }>({
    state: isBehind ? 'unsaved' : 'saved',
    at: draft.modifyTime,
  })
  /** The version that the server has, and what is not saved yet. All saves and attachments go one after another. */
  const server = useRef({ version: draft.version, queue: Promise.resolve(), pending: isBehind })
  const latest = useRef(written)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  /** Runs a change of the draft after those before it. */
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const next = server.current.queue.then(work)
    server.current.queue = next.then(
      () => undefined,
      () => undefined,
    )
    return next
  }
  const keep = (): void => keepCopy(outgoingId, { version: server.current.version, written: latest.current })
  const save = (): Promise<boolean> =>
    inOrder(async () => {
      if (!server.current.pending) return true
      server.current.pending = false
      setSaved(({ at }) => ({ state: 'saving', at }))
      const { boxId, fromAddress, to, cc, bcc, subject, html, text } = latest.current
      try {
        const made = await api.saveMailDraft({
          ...{ outgoingId, version: server.current.version, boxId, fromAddress },
          ...{ to, cc, bcc, subject, html, text },
        })
        server.current.version = made.version
        if (server.current.pending) keep()
        else dropCopy(outgoingId)
        setSaved({ state: server.current.pending ? 'unsaved' : 'saved', at: made.modifyTime })
        return true
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        server.current.pending = true
        setSaved(({ at }) => ({ state: error.code === 'fileConflict' ? 'conflict' : 'unsaved', at }))
        return false
      }
    })
  const change = (part: Partial<Written>): void => {
    latest.current = { ...latest.current, ...part }
    setWritten(latest.current)
    server.current.pending = true
    keep()
    setSaved(({ state, at }) => (state === 'conflict' ? { state, at } : { state: 'unsaved', at }))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(), saveAfterMs)
  }
  const saveAtEnd = useEffectEvent(() => {
    clearTimeout(timer.current)
    void save().then(refetchMail)
  })
  useEffect(() => () => saveAtEnd(), [])
  /** Takes what this browser had kept in place of what the server has. */
  const [shownHtml, showHtml] = useState({ n: 0, html: written.html })
  const restore = (kept: Written): void => {
    showHtml(({ n }) => ({ n: n + 1, html: kept.html }))
    change(kept)
  }
  const goOn = useEffectEvent((): void => {
    if (isBehind) timer.current = setTimeout(() => void save(), saveAfterMs)
    // Another version was saved since: both are there, and the person chooses.
    else if (left !== undefined)
      toast({
        text: said('email.compose.left'),
        kind: 'warning',
        durationMs: 30_000,
        action: { text: said('email.compose.left.take'), run: () => restore(left.written) },
      })
  })
  useEffect(() => goOn(), [])

  const attached = (made: Pick<OutgoingMail, 'version' | 'attachments'>): void => {
    server.current.version = made.version
    if (server.current.pending) keep()
    setAttachments(made.attachments)
  }

  return {
    ...{ outgoingId, written, attachments, saved, shownHtml, change, save, inOrder, attached },
    /** The version that the server has. */
    version: () => server.current.version,
    /** What is on its way to be saved later is not saved by itself any more. */
    holdSaving: () => clearTimeout(timer.current),
    /** Nothing is left to save. */
    settle() {
      server.current.pending = false
      dropCopy(outgoingId)
    },
    /** Removes it on the server, then what the browser kept of it. */
    async discard() {
      clearTimeout(timer.current)
      server.current.pending = false
      await inOrder(() => api.discardMail({ outgoingId }))
      dropCopy(outgoingId)
    },
    /** What is written now, also between two renderings. */
    now: () => latest.current,
  }
}

export type OpenDraft = ReturnType<typeof useDraft>

/** Uploads files of the computer to a draft. */
export function attachLocal({ outgoingId, inOrder, attached }: OpenDraft, files: readonly File[]): void {
  for (const file of files)
    void inOrder(async () => {
      const made = await uploadAttachment(outgoingId, file)
      if (made !== undefined) attached(made)
    })
}

/** Attaches files of the drive to a draft. */
export async function attachFromDrive({ outgoingId, inOrder, attached }: OpenDraft): Promise<void> {
  const items = await openWindow('drive-item-pick', {
    ...{ title: said('email.compose.drive'), hint: said('email.compose.drive.hint'), what: 'files', multiple: true },
  })
  if (items === undefined || items.length === 0) return
  await inOrder(async () => {
    try {
      attached(await api.of(mainServer).attachFilesToMail({ outgoingId, fileIdArray: items.map(({ fId }) => fId) }))
    } catch (error) {
      // The refusal has been shown.
      if (!(error instanceof CallError)) throw error
    }
  })
}

export const detach = ({ outgoingId, inOrder, attached }: OpenDraft, attachmentId: number): void =>
  void inOrder(async () => attached(await api.detachFromMail({ outgoingId, attachmentId })))
