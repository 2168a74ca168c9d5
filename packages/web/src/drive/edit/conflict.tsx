// There is a newer version than the one that was edited ([R174], X50): on top of it, beside it, or not yet.
import type { ItemRecord } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { ChoiceCards } from './choice-cards.tsx'
import './edit-dialogs.css'

export interface ConflictProps {
  /** What the server has now. */
  readonly newest: ItemRecord
  /** The version that was edited. */
  readonly base: number
}

/** What is done about it. */
export type ConflictAnswer = 'overwrite' | 'saveAs'

const choices = ['overwrite', 'saveAs', 'later'] as const

/** The window. */
export function EditConflict({ newest, base, close }: WindowProps<ConflictProps, ConflictAnswer>): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [choice, choose] = useState<(typeof choices)[number]>('overwrite')
  const [now] = useState(Date.now)
  const words = { n: newest.version, next: newest.version + 1, who: newest.lastOperatorName }
  return (
    <>
      <DialogBody>
        <h3 className="ed-name">{newest.fName}</h3>
        <div className="ed-sides">
          <div>
            <b>{t('editor.conflict.mine')}</b>
            <small>{t('editor.conflict.base', { n: base })}</small>
            <small>{t('editor.conflict.notYet')}</small>
          </div>
          <div>
            <b>{t('editor.conflict.theirs')}</b>
            <small>{t('editor.conflict.version', { n: newest.version })}</small>
            <small>{`${newest.lastOperatorName} ${shortTime(newest.modifyTime, now, locale)}`}</small>
          </div>
        </div>
        <ChoiceCards
          label={t('editor.conflict.title')}
          choices={choices.map((id) => ({
            id,
            text: t(`editor.conflict.${id}`, words),
            more: t(`editor.conflict.${id}.more`, words),
          }))}
          choice={choice}
          onChoose={choose}
        />
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" onClick={() => close(choice === 'later' ? undefined : choice)}>
          {t('editor.conflict.go')}
        </Button>
      </DialogFooter>
    </>
  )
}
