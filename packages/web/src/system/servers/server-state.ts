// Why a linked server is not usable, and what to do about it.
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import type { Linked } from './linked-list.ts'
import './texts.ts'

/** The cause of a state in words; empty if there is none. */
export function causeText({ cause, detail }: Pick<Linked, 'cause' | 'detail'>): string {
  if (cause === '') return ''
  return cause === 'clock'
    ? t('linkedServer.cause.clock', { seconds: Math.abs(Number(detail)) || detail })
    : t(`linkedServer.cause.${cause}`)
}

export function notifyLinked(error: unknown): void {
  toast({ kind: 'error', text: error instanceof Error ? error.message : String(error) })
}
