/*
 * One dialog for all name conflicts of an upload. It shows both files of each conflict, and one choice can apply to all
 * remaining ones. While the dialog is open, it checks which files already exist with identical content. These are
 * listed separately and are skipped unless the user chooses otherwise.
 */

import { extNameOf, formatSize, fullTime, limits, nameInText, numberedName, shortTime } from '@cloudoc/domain'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { nameParts } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkmark16Regular, LockClosed16Regular } from '../../kit/icons.ts'
import type { UploadPolicy } from '../../transfer/engine/task.ts'
import type { Clash, Decision } from '../../transfer/engine/upload-plan.ts'
import { isSameContent } from '../../transfer/tasks/same-content.ts'
import './upload-conflict.css'

export interface UploadConflictProps {
  readonly target: string
  readonly clashes: Clash[]
}

type Choice = Exclude<UploadPolicy, 'refuse'>
const choices: readonly Choice[] = ['version', 'keepBoth', 'skip']

/**
 * A folder has no versions, and a file that is being edited accepts no new version. In both cases the uploaded file
 * gets a numbered name.
 */
const possible = (choice: Choice, { existing }: Clash): Choice =>
  choice === 'version' && (existing.fType === 2 || existing.editorName !== '') ? 'keepBoth' : choice

/**
 * Asks what to do with each conflict. Returns one choice per conflict, in order, and optionally the choice for all
 * later conflicts.
 */
export function UploadConflict({ clashes, close }: WindowProps<UploadConflictProps, Decision>): ReactNode {
  const t = useT()
  const [wanted, setWanted] = useState<number>()
  const [answers, setAnswers] = useState<ReadonlyMap<number, Choice>>(new Map())
  const [decided, setDecided] = useState<ReadonlySet<number>>(new Set())
  const [alike, setAlike] = useState(clashes.length > 1)
  const [choice, setChoice] = useState<Choice>('version')
  const { same, comparing } = useSameContents(clashes)
  const order = useMemo(() => {
    const newest = [...clashes.keys()].sort((a, b) => (clashes[b]?.modified ?? 0) - (clashes[a]?.modified ?? 0))
    return { open: newest.filter((i) => !same.has(i)), same: newest.filter((i) => same.has(i)) }
  }, [clashes, same])

  const undecided = order.open.filter((i) => !decided.has(i))
  const at = wanted ?? undecided[0] ?? order.open[0] ?? order.same[0] ?? 0
  const clash = clashes[at]
  if (clash === undefined) return null

  const rest = undecided.filter((i) => i !== at)
  const wayOf = (i: number): Choice => answers.get(i) ?? (same.has(i) ? 'skip' : choice)
  const chosen = possible(wayOf(at), clash)
  // A file that is skipped because its content is identical does not set the choice for the rest.
  const isExample = rest.length > 0 && !same.has(at)
  const kept = isExample && alike && choice === 'version' ? rest.filter((i) => isHeld(clashes[i])).length : 0
  const choose = (one: Choice): void => {
    setAnswers(new Map(answers).set(at, one))
    // Keeps this conflict in view, whatever the content check finds in the meantime.
    setWanted(at)
    if (!same.has(at)) setChoice(one)
  }
  const proceed = (): void => {
    const open = rest[0]
    if (open === undefined || (isExample && alike)) {
      const ways = clashes.map((one, i) => possible(wayOf(i), one))
      close({ ways, sameWay: alike && clashes.length > 1 && !same.has(at) ? choice : undefined })
      return
    }
    if (!same.has(at)) setAnswers(new Map(answers).set(at, wayOf(at)))
    setDecided(new Set(decided).add(at))
    setWanted(open)
  }

  const shown = order.open.slice(0, limits.duplicateNames)
  const shownSame = order.same.slice(0, limits.duplicateNames - shown.length)
  const hidden = clashes.length - shown.length - shownSame.length
  const line = (i: number): ReactNode => {
    const one = clashes[i]
    if (one === undefined) return null
    const { head, tail } = nameParts(one.name, false)
    return (
      <li key={`${one.folder}/${one.name}`}>
        <button
          type="button"
          className={i === at ? 'is-current' : ''}
          aria-current={i === at}
          title={one.folder === '' ? one.name : `${isolated(one.folder)}/${isolated(one.name)}`}
          onClick={() => setWanted(i)}
        >
          <FileIcon ext={extNameOf(one.name)} />
          <span className="dr-mid">
            <span>{head}</span>
            <span>{tail}</span>
          </span>
          {isHeld(one) && one.existing.fType === 1 && <LockClosed16Regular className="dr-warning" />}
          {decided.has(i) && i !== at && <Checkmark16Regular className="dr-success" />}
        </button>
      </li>
    )
  }
  return (
    <>
      <div className="dr-conflict">
        {clashes.length > 1 && (
          <aside>
            <h6>{t('drive.conflict.open', { n: undecided.length })}</h6>
            <ul>
              {shown.map(line)}
              {shownSame.length > 0 && (
                <li className="is-heading">{t('drive.conflict.sameContents', { n: order.same.length })}</li>
              )}
              {shownSame.map(line)}
            </ul>
            {hidden > 0 && <p>{t('drive.andMore', { n: hidden })}</p>}
          </aside>
        )}
        <main>
          <h3 className="dr-mid" title={clash.name}>
            <span>{nameParts(clash.name, false).head}</span>
            <span>{nameParts(clash.name, false).tail}</span>
          </h3>
          <div className="dr-conflict-sides">
            <Side clash={clash} which="new" note={same.has(at) ? t('drive.conflict.sameContent') : undefined} />
            <Side clash={clash} which="old" />
          </div>
          <div role="radiogroup" aria-label={t('drive.conflict.what')}>
            {choices.map((one) => {
              const able = possible(one, clash) === one
              return (
                <label key={one} className={`dr-conflict-choice${chosen === one ? ' is-on' : ''}`}>
                  <input
                    type="radio"
                    name="choice"
                    checked={chosen === one}
                    disabled={!able}
                    onChange={() => choose(one)}
                  />
                  <b>{t(`drive.conflict.${one}`)}</b>
                  <small>
                    {able ? <Why choice={one} clash={clash} same={same.has(at)} /> : <WhyNot clash={clash} />}
                  </small>
                </label>
              )
            })}
          </div>
        </main>
      </div>
      <DialogFooter>
        <span className="dr-conflict-rest">
          {isExample && (
            <label>
              <input type="checkbox" checked={alike} onChange={(event) => setAlike(event.target.checked)} />
              {t('drive.conflict.same', { n: rest.length })}
            </label>
          )}
          <small aria-live="polite">
            {comparing
              ? t('drive.conflict.comparing')
              : [
                  kept > 0 && t('drive.conflict.editedToo', { n: kept }),
                  clashes.length > 1 && same.size > 0 && t('drive.conflict.sameContents', { n: same.size }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
          </small>
        </span>
        <Button onClick={() => close()}>{t('drive.conflict.cancel')}</Button>
        <Button kind="primary" autoFocus onClick={proceed}>
          {t('drive.conflict.go')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** Whether the existing item accepts no new version. */
function isHeld(clash: Clash | undefined): boolean {
  return clash !== undefined && possible('version', clash) !== 'version'
}

/** Checks one after the other which files already exist with identical content. */
function useSameContents(clashes: readonly Clash[]): {
  readonly same: ReadonlySet<number>
  readonly comparing: boolean
} {
  const [same, setSame] = useState<ReadonlySet<number>>(new Set())
  const [comparing, setComparing] = useState(true)
  useEffect(() => {
    const leaving = new AbortController()
    const compare = async (): Promise<void> => {
      const found = new Set<number>()
      for (const [i, clash] of clashes.entries()) {
        const isEqual = await isSameContent(clash, leaving.signal)
        if (leaving.signal.aborted) return
        if (!isEqual) continue
        found.add(i)
        setSame(new Set(found))
      }
      setComparing(false)
    }
    void compare()
    return () => leaving.abort()
  }, [clashes])
  return { same, comparing }
}

interface WhyProps {
  readonly choice: Choice
  readonly clash: Clash
  readonly same: boolean
}

function Why({ choice, clash, same }: WhyProps): ReactNode {
  const t = useT()
  const { version } = clash.existing
  if (choice === 'version' && version > 0) return t('drive.conflict.versionNext', { n: version, next: version + 1 })
  if (choice === 'skip' && same) return t('drive.conflict.sameWhy')
  return t(`drive.conflict.${choice}Why`, { name: nameInText(numberedName(clash.name, 2)) })
}

function WhyNot({ clash }: { readonly clash: Clash }): ReactNode {
  const t = useT()
  const { fType, editorName } = clash.existing
  return fType === 2 ? t('drive.conflict.isFolder') : t('drive.conflict.isEdited', { name: editorName })
}

interface SideProps {
  readonly clash: Clash
  readonly which: 'new' | 'old'
  readonly note?: string | undefined
}

function Side({ clash, which, note }: SideProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { existing } = clash
  const isNew = which === 'new'
  const isFolder = !isNew && existing.fType === 2
  const time = isNew ? clash.modified : existing.modifyTime
  // For items that the user may not see, nothing is known, not even the modification time.
  const isNewer = existing.modifyTime > 0 && time > (isNew ? existing.modifyTime : clash.modified)
  const title = isNew
    ? t('drive.conflict.uploading')
    : isFolder
      ? t('drive.conflict.existingFolder')
      : existing.version > 0
        ? t('drive.conflict.existingNth', { n: existing.version })
        : t('drive.conflict.existing')
  const from = isNew ? [t('drive.conflict.here'), clash.folder].filter(Boolean).join(' · ') : existing.lastOperatorName
  return (
    <div className="dr-conflict-side">
      {isFolder ? <FolderIcon size={40} /> : <FileIcon ext={extNameOf(clash.name)} size={40} />}
      <dl>
        <dt className="is-title">{title}</dt>
        <dd />
        <dt>{t('drive.column.size')}</dt>
        <dd>
          {isFolder ? '—' : formatSize(isNew ? clash.size : existing.fileSize)}{' '}
          {note !== undefined && <StatusChip tone="success">{note}</StatusChip>}
        </dd>
        <dt>{t('drive.column.time')}</dt>
        <dd title={time > 0 ? fullTime(time) : undefined}>
          {time > 0 ? shortTime(time, now, locale) : '—'}{' '}
          {isNewer && <StatusChip tone="info">{t('drive.conflict.newer')}</StatusChip>}
        </dd>
        <dt>{t('drive.conflict.by')}</dt>
        <dd className="dr-conflict-from" title={from}>
          {from === '' ? '—' : from}
        </dd>
      </dl>
    </div>
  )
}
