// What a list of several servers says about them ([R344], [R345]): who has not answered yet, whose rows came later, and
// who is missing. Loaded when there is something to say.

import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { Missing } from '../../core/session/fan-out.ts'
import { Button } from '../../kit/button.tsx'
import { ArrowSync20Regular, PlugDisconnected20Regular } from '../../kit/icons.ts'
import type { Linked } from './folder-list.ts'
import { missingReason, namesOf } from './missing-servers.tsx'
import './server-texts.ts'

interface NotesProps {
  readonly missing: readonly Missing[]
  readonly linked: Linked | undefined
  readonly onRetry: () => void
}

export function ServerNotes({ missing, linked, onRetry }: NotesProps): ReactNode {
  const t = useT()
  const { waiting = [], late = [] } = linked ?? {}
  const named = (names: readonly string[]): string => names.join(t('linked.between'))
  return (
    <>
      {waiting.length + late.length > 0 && (
        <p className="dr-missing is-waiting" role="status">
          <ArrowSync20Regular />
          <span>
            {waiting.length > 0 && t('linked.waiting', { names: named(waiting) })}
            {late.length > 0 && t('linked.late', { names: named(late) })}
          </span>
        </p>
      )}
      {missing.length > 0 && (
        <p className="dr-missing" role="status">
          <PlugDisconnected20Regular />
          <span>{t('linked.missing', { names: namesOf(missing, t), reason: missingReason(missing, t) })}</span>
          <Button size="small" onClick={onRetry}>
            {t('linked.missing.retry')}
          </Button>
        </p>
      )}
    </>
  )
}
