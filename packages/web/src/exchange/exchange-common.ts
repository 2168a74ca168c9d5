// What the lists and windows of the exchange share: how an exchange stands, and picking up.
import type { FileExchange } from '@cloudoc/contract'
import { ExchangeStatus } from '@cloudoc/domain'
import { navigateTo } from '../approvals/index.ts'
import { api, CallError, mainServer } from '../core/call/api.ts'
import { t } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { openWindow } from '../core/windows/index.ts'
import { folderPath } from '../items/item/item.ts'
import type { ChipTone } from '../kit/chips.tsx'
import { refetchExchange } from './exchange-queries.ts'
import type { PickedUp } from './window-props.ts'
import './exchange-texts.ts'

/** The state of an exchange, as text and colour (X16, X71). */
export function stateOf(one: Pick<FileExchange, 'remindStatus' | 'delivery' | 'approveId'>): {
  readonly text: string
  readonly tone: ChipTone
} {
  switch (one.remindStatus) {
    case ExchangeStatus.toReview:
      return { text: t('exchange.state.toReview'), tone: 'info' }
    case ExchangeStatus.reviewing:
      return { text: t('exchange.state.reviewing'), tone: 'info' }
    case ExchangeStatus.rejected:
      return { text: t('exchange.state.rejected'), tone: 'danger' }
    case ExchangeStatus.withdrawn:
      return { text: t('exchange.state.withdrawn'), tone: 'neutral' }
    default:
      break
  }
  switch (one.delivery) {
    case 'failed':
      return { text: t('exchange.state.failed'), tone: 'danger' }
    case 'exported':
      return { text: t('exchange.state.exported'), tone: 'info' }
    case 'fetched':
      return { text: t('exchange.state.fetched'), tone: 'neutral' }
    case 'expired':
      return { text: t('exchange.state.expired'), tone: 'neutral' }
    case 'delivered':
      return { text: t('exchange.state.ready'), tone: 'success' }
    default:
      return { text: t('exchange.state.underway'), tone: 'info' }
  }
}

/** The first item, and how many files there are. */
export const titleOf = ({ itemName, fileCount }: Pick<FileExchange, 'itemName' | 'fileCount'>): string =>
  fileCount > 1 ? t('exchange.many', { name: itemName, n: fileCount }) : itemName

/** Shows what was picked up: a file in the previewer, a folder by its content ([R106]). */
export function openPickedUp({ fileId, folderId }: PickedUp): void {
  if (folderId > 0) navigateTo(folderPath({ ...mainServer, fId: folderId }))
  else if (fileId > 0) void openWindow('previewer', { fileInfo: { ...mainServer, fId: fileId } })
}

/**
 * Picks up what was received, or opens it if that is done: asks for the password if there is one ([R106]). Returns
 * whether the files are there.
 */
export async function pickUp(approveId: number, sender: string, folderId = 0): Promise<boolean> {
  const detail = await api.fileExchangeGetApproveFileDetail({ approveId })
  if (detail.fileId > 0 || detail.folderId > 0) {
    openPickedUp(detail)
    return true
  }
  if (detail.delivery !== 'delivered') return false
  const place = detail.requirePwd
    ? await openWindow('file-exchange-required-password', { approveId, folderId, sender })
    : await api.of(mainServer).verifyExchangePwd({ approveId, folderId })
  refetchExchange()
  if (place === undefined) return false
  toast({ kind: 'success', text: t('exchange.pickedUp') })
  openPickedUp(place)
  return true
}

/** Runs a change and shows its result. Returns whether it succeeded. */
export async function tryChange(work: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await work()
    if (done !== '') toast({ kind: 'success', text: done })
    return true
  } catch (failure) {
    toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    return false
  } finally {
    refetchExchange()
  }
}
