// One dialog for all names that are taken: each with both sides, and one answer for the rest.
import { extNameOf, formatSize, fullTime, limits, numberedName, shortTime } from '@cloudoc/domain'
import { Checkmark16Regular } from '@fluentui/react-icons'
import { type ReactNode, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { FileIcon, FolderIcon } from '../item/file-icon.tsx'
import { nameInText, nameParts } from '../item/item.ts'
import type { UploadPolicy } from '../transfer/engine/task.ts'
import type { Clash, Decision } from '../transfer/engine/upload-plan.ts'
import './upload-conflict.css'

export interface UploadConflictProps {
  readonly target: string
  readonly clashes: Clash[]
}

type Choice = Exclude<UploadPolicy, 'refuse'>
const choices: readonly Choice[] = ['version', 'keepBoth', 'skip']

/** A folder of that name has no versions: the file beside it gets a number. */
const possible = (choice: Choice, { existing }: Clash): Choice =>
  choice === 'version' && existing.fType === 2 ? 'keepBoth' : choice

/** Asks what to do with each taken name; answers for each in their order, and for all that come. */
export function UploadConflict({ clashes, close }: WindowProps<UploadConflictProps, Decision>): ReactNode {
  const t = useT()
  const [at, setAt] = useState(0)
  const [answers, setAnswers] = useState<readonly (Choice | undefined)[]>([])
  const [same, setSame] = useState(clashes.length > 1)
  const [choice, setChoice] = useState<Choice>('version')
  const clash = clashes[at]
  if (clash === undefined) return null

  const rest = clashes.length - answers.filter((answer) => answer !== undefined).length - 1
  const proceed = (): void => {
    const decided = clashes.map((_, i) => (i === at ? choice : answers[i]))
    const open = decided.findIndex((answer) => answer === undefined)
    if (same || open < 0) {
      const ways = clashes.map((one, i) => possible(decided[i] ?? choice, one))
      close({ ways, sameWay: same && clashes.length > 1 ? choice : undefined })
      return
    }
    setAnswers(decided)
    setAt(open)
  }

  const shown = clashes.slice(0, limits.duplicateNames)
  return (
    <>
      <div className="dr-conflict">
        {clashes.length > 1 && (
          <aside>
            <h6>{t('drive.conflict.open', { n: rest + 1 })}</h6>
            <ul>
              {shown.map((one, i) => {
                const { head, tail } = nameParts(one.name, false)
                return (
                  <li key={`${one.folder}/${one.name}`}>
                    <button
                      type="button"
                      className={i === at ? 'is-current' : ''}
                      aria-current={i === at}
                      title={one.folder === '' ? one.name : `${isolated(one.folder)}/${isolated(one.name)}`}
                      onClick={() => setAt(i)}
                    >
                      <FileIcon ext={extNameOf(one.name)} />
                      <span className="dr-mid">
                        <span>{head}</span>
                        <span>{tail}</span>
                      </span>
                      {answers[i] !== undefined && i !== at && <Checkmark16Regular className="dr-success" />}
                    </button>
                  </li>
                )
              })}
            </ul>
            {clashes.length > shown.length && <p>{t('drive.andMore', { n: clashes.length - shown.length })}</p>}
          </aside>
        )}
        <main>
          <h3 className="dr-mid" title={clash.name}>
            <span>{nameParts(clash.name, false).head}</span>
            <span>{nameParts(clash.name, false).tail}</span>
          </h3>
          <div className="dr-conflict-sides">
            <Side clash={clash} which="new" />
            <Side clash={clash} which="old" />
          </div>
          <div role="radiogroup" aria-label={t('drive.conflict.what')}>
            {choices.map((one) => {
              const able = possible(one, clash) === one
              return (
                <label key={one} className={`dr-conflict-choice${choice === one && able ? ' is-on' : ''}`}>
                  <input
                    type="radio"
                    name="choice"
                    checked={choice === one && able}
                    disabled={!able}
                    onChange={() => setChoice(one)}
                  />
                  <b>{t(`drive.conflict.${one}`)}</b>
                  <small>
                    {able
                      ? t(`drive.conflict.${one}Why`, { name: nameInText(numberedName(clash.name, 2)) })
                      : t('drive.conflict.isFolder')}
                  </small>
                </label>
              )
            })}
          </div>
        </main>
      </div>
      <DialogFooter>
        {rest > 0 && (
          <label className="dr-conflict-same">
            <input type="checkbox" checked={same} onChange={(event) => setSame(event.target.checked)} />
            {t('drive.conflict.same', { n: rest })}
          </label>
        )}
        <Button onClick={() => close()}>{t('drive.conflict.cancel')}</Button>
        <Button kind="primary" autoFocus onClick={proceed}>
          {t('drive.conflict.go')}
        </Button>
      </DialogFooter>
    </>
  )
}

function Side({ clash, which }: { readonly clash: Clash; readonly which: 'new' | 'old' }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const isNew = which === 'new'
  const isFolder = !isNew && clash.existing.fType === 2
  const time = isNew ? clash.modified : clash.existing.modifyTime
  const newer = isNew && clash.modified > clash.existing.modifyTime
  return (
    <div className="dr-conflict-side">
      {isFolder ? <FolderIcon size={40} /> : <FileIcon ext={extNameOf(clash.name)} size={40} />}
      <dl>
        <dt className="is-title">{t(isNew ? 'drive.conflict.uploading' : 'drive.conflict.existing')}</dt>
        <dd />
        <dt>{t('drive.column.size')}</dt>
        <dd>{isFolder ? '—' : formatSize(isNew ? clash.size : clash.existing.fileSize)}</dd>
        <dt>{t('drive.column.time')}</dt>
        <dd title={fullTime(time)}>
          {shortTime(time, now, locale)}
          {newer && <span className="dr-tag is-info">{t('drive.conflict.newer')}</span>}
        </dd>
      </dl>
    </div>
  )
}
