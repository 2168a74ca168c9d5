// Downloads of documents as PDF: the server makes the PDFs, then the page fetches them. This module is loaded on demand.
import type { ItemRecord } from '@cloudoc/contract'
import { codes, splitName } from '@cloudoc/domain'
import { api, CallError, mainServer, streamUrl } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { dismissToastOf, toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { begin } from './download.ts'
import './pdf-texts.ts'

/** The most documents of one call. */
const atOnce = 200
const askEveryMs = 1000
/** Longer than any conversion. */
const shownMs = 3_600_000
let lastRun = 0

interface Failed {
  readonly item: ItemRecord
  readonly why: string
}

/** The progress of one run, which the user can cancel. */
interface Run {
  readonly key: string
  readonly total: number
  readonly cancelled: AbortController
}

/** Downloads documents as PDF, each as soon as it is made. Tells which could not be made, and why. */
export async function downloadAsPdfs(items: readonly ItemRecord[]): Promise<void> {
  const run: Run = { key: `pdf ${++lastRun}`, total: items.length, cancelled: new AbortController() }
  const failed: Failed[] = []
  try {
    for (let from = 0; from < items.length && !run.cancelled.signal.aborted; from += atOnce)
      await downloadSome(items.slice(from, from + atOnce), from, run, failed)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    notifyFailure(error)
  } finally {
    dismissToastOf(run.key)
  }
  const [first] = failed
  if (first === undefined) return
  const { item, why } = first
  const text =
    failed.length === 1
      ? t('pdf.failed', { name: item.fName, why })
      : t('pdf.failedMany', { name: item.fName, why, n: failed.length })
  toast({ kind: 'error', text, durationMs: 8000 })
}

async function downloadSome(items: readonly ItemRecord[], before: number, run: Run, failed: Failed[]): Promise<void> {
  const { signal } = run.cancelled
  const open = new Map(items.map((item) => [item.fId, item]))
  for (let start = true; ; start = false) {
    const { list } = await api.of(mainServer).preparePdfs({ fileIdArray: [...open.keys()], start })
    if (signal.aborted) return
    let percent = 0
    for (const { fileId, result, msg, percent: own } of list) {
      const item = open.get(fileId)
      percent += own
      if (item === undefined || result === codes.converting.code) continue
      open.delete(fileId)
      if (result === codes.success.code) await fetchPdf(item)
      else failed.push({ item, why: msg })
    }
    if (open.size === 0) return
    show(run, before + items.length - open.size, Math.round(percent / list.length))
    await pause(signal)
    if (signal.aborted) return
  }
}

function show({ key, total, cancelled }: Run, done: number, percent: number): void {
  const text = total === 1 ? t('pdf.making', { percent }) : t('pdf.makingMany', { done, n: total })
  const action = { text: t('drive.cancel'), run: () => cancelled.abort() }
  toast({ key, text, durationMs: shownMs, action })
}

function fetchPdf(item: ItemRecord): Promise<void> {
  const pdf = { ...item, fName: `${splitName(item.fName).base}.pdf` }
  return begin([pdf], streamUrl('downloadPdf', { fileId: item.fId }, item))
}

/** Waits before the next question; not for long if the user cancels. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, askEveryMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
