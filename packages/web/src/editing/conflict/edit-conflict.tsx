// cloudoc-edit-conflict: the file has a newer version than the edited one ([R174], X50). The user overwrites it, saves
// a copy, or decides later.

import type { ItemRecord } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { ChoiceCards } from '../shared/choice-cards.tsx'
import { fetchContent } from '../shared/edit-transfers.ts'
import type { MergeComparison } from './comparison.ts'
import { compareInWorker } from './comparison-client.ts'
import '../shared/edit-dialogs.css'

export interface EditConflictProps {
  /** The newest version on the server. */
  readonly newest: ItemRecord
  /** The version that the edit is based on. */
  readonly base: number
  /** The edited content. */
  readonly made: Uint8Array
  /** The comparison of both edits, if it is already known. */
  readonly comparison?: MergeComparison
}

/** The decision of the user. */
export type ConflictAnswer = 'overwrite' | 'saveAs'

const choices = ['overwrite', 'saveAs', 'later'] as const

export function EditConflict({ close, ...edits }: WindowProps<EditConflictProps, ConflictAnswer>): ReactNode {
  const { newest, base, comparison } = edits
  const t = useT()
  const locale = useLocale()
  const [choice, choose] = useState<(typeof choices)[number]>('overwrite')
  const [now] = useState(Date.now)
  const id = useId()
  const [step, setStep] = useState(0)
  const { data, isError } = useQuery({
    queryKey: ['drive', 'conflict', newest.fId, id],
    queryFn: ({ signal }) => compareEdits(edits, signal, (done, of) => setStep(Math.round((done / of) * 100))),
    ...(comparison !== undefined && { initialData: comparison }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const { both, differs } = data ?? {}
  const changed = (side: 'mine' | 'theirs'): string =>
    differs === undefined ? '' : t('editor.conflict.changed', { n: differs[side] })
  const compare = (): void => {
    if (both === undefined) return
    void openWindow('cloudoc-edit-compare', {
      name: newest.fName,
      both,
      author: newest.lastOperatorName,
      version: newest.version,
    })
  }
  const words = { n: newest.version, next: newest.version + 1, who: newest.lastOperatorName }
  return (
    <>
      <DialogBody>
        <h3 className="ed-name">{newest.fName}</h3>
        <div className="ed-sides">
          <div>
            <b>
              {t('editor.conflict.mine')}
              <em>{t('editor.conflict.base', { n: base })}</em>
            </b>
            <span>{changed('mine') || t('editor.conflict.notYet')}</span>
            {both !== undefined && <small>{t('editor.conflict.notYet')}</small>}
          </div>
          <div>
            <b>
              {t('editor.conflict.theirs')}
              <em className="is-theirs">{t('editor.conflict.version', { n: newest.version })}</em>
            </b>
            <span title={newest.lastOperatorName}>
              {[`${newest.lastOperatorName} ${shortTime(newest.modifyTime, now, locale)}`, changed('theirs')]
                .filter((part) => part !== '')
                .join(t('editor.conflict.and'))}
            </span>
            {isError ? (
              <small>{t('editor.conflict.unread')}</small>
            ) : (
              <Button kind="link" size="small" disabled={both === undefined} onClick={compare}>
                {t('editor.conflict.compare')}
              </Button>
            )}
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
        <span className="ed-said" role="status">
          {data === undefined && !isError && t('editor.conflict.comparing', { n: step })}
          {differs !== undefined && differs.atOnce > 0 && t('editor.conflict.atOnce', { n: differs.atOnce })}
        </span>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" onClick={() => close(choice === 'later' ? undefined : choice)}>
          {t('editor.conflict.go')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** Reads the common version and the newest one, and compares both edits; the signal aborts it. */
async function compareEdits(
  { newest, base, made }: EditConflictProps,
  signal: AbortSignal,
  onStep: (done: number, of: number) => void,
): Promise<MergeComparison> {
  const file = { fileId: newest.fId, fileName: newest.fName }
  const [before, theirs] = await Promise.all([
    fetchContent(file, base, { signal }),
    fetchContent(file, newest.version, { signal }),
  ])
  return compareInWorker({ name: newest.fName, base: before, mine: made, theirs }, signal, onStep)
}
