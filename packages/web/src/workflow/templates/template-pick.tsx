// cloudoc-workflow-template ([R264], 480x500): chooses the template of a process, those used last first.
import type { ProcessTemplate } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { DocumentBulletList20Regular, Search16Regular } from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { templatesQuery } from '../shared/workflow-queries.ts'
import './templates.css'

export interface TemplatePickProps {
  /** The files to launch processes for; empty for one without. */
  readonly files: readonly {
    readonly fId: number
    readonly fName: string
    readonly extName: string
    readonly version: number
  }[]
}

export function TemplatePick({
  files,
  close,
}: WindowProps<TemplatePickProps, { readonly templateId: number }>): ReactNode {
  const t = useT()
  const { data, error } = useQuery(templatesQuery)
  const [word, setWord] = useState('')
  const [at, setAt] = useState(0)
  const wanted = word.trim().toLowerCase()
  const shown = (data?.list ?? []).filter(({ templateName, note, nodeNames }) =>
    [templateName, note, ...nodeNames].some((text) => text.toLowerCase().includes(wanted)),
  )
  const used = shown.filter(({ usedTime }) => usedTime > 0)
  const others = shown.filter(({ usedTime }) => usedTime === 0)
  const ordered = [...used, ...others]
  const chosen = ordered[Math.min(at, ordered.length - 1)]
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt(Math.max(0, Math.min(at + step, ordered.length - 1)))
    }
    if (event.key === 'Enter' && chosen !== undefined) close(chosen)
  }
  const [first] = files
  return (
    <>
      <div className="wt-pick">
        {first !== undefined && (
          <p className="wt-file">
            <FileIcon ext={first.extName} size={22} />
            <span>
              {files.length === 1 ? first.fName : t('workflow.pick.files', { name: first.fName, n: files.length })}
            </span>
          </p>
        )}
        <span className="k-input">
          <Search16Regular />
          <input
            aria-label={t('workflow.pick.search')}
            placeholder={t('workflow.pick.search')}
            autoFocus
            value={word}
            onChange={({ target }) => {
              setWord(target.value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
          />
        </span>
        {error !== null ? (
          <StatePage title={t('workflow.notLoaded')} text={error.message} />
        ) : data === undefined ? (
          <Spinner label={t('workflow.loading')} />
        ) : ordered.length === 0 ? (
          <StatePage
            title={t(wanted === '' ? 'workflow.pick.none' : 'workflow.pick.notFound')}
            text={t(wanted === '' ? 'workflow.pick.none.more' : 'workflow.pick.notFound.more')}
          />
        ) : (
          <div className="wt-list" role="listbox" aria-label={t('workflow.pick.title')}>
            <Group
              title={t('workflow.pick.used')}
              list={used}
              chosen={chosen}
              onChoose={(one) => setAt(ordered.indexOf(one))}
              onOpen={close}
            />
            <Group
              title={t('workflow.pick.all', { n: ordered.length })}
              list={others}
              chosen={chosen}
              onChoose={(one) => setAt(ordered.indexOf(one))}
              onOpen={close}
            />
          </div>
        )}
      </div>
      <DialogFooter>
        <span className="wt-hint">{t('workflow.pick.keys')}</span>
        <Button onClick={() => close()}>{t('workflow.cancel')}</Button>
        <Button kind="primary" disabled={chosen === undefined} onClick={() => chosen && close(chosen)}>
          {t('workflow.next')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly list: readonly ProcessTemplate[]
  readonly chosen: ProcessTemplate | undefined
  readonly onChoose: (template: ProcessTemplate) => void
  readonly onOpen: (template: ProcessTemplate) => void
}

function Group({ title, list, chosen, onChoose, onOpen }: GroupProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  if (list.length === 0) return null
  return (
    <div role="group" aria-label={title}>
      <span aria-hidden="true">{title}</span>
      {list.map((one) => (
        <button
          key={one.templateId}
          type="button"
          role="option"
          aria-selected={one === chosen}
          onClick={() => onChoose(one)}
          onDoubleClick={() => onOpen(one)}
        >
          <DocumentBulletList20Regular />
          <span>
            <b>{one.templateName}</b>
            <small>{nodesText(t, one)}</small>
          </span>
          {one.usedTime > 0 && <time>{t('workflow.pick.last', { time: shortTime(one.usedTime, now, locale) })}</time>}
        </button>
      ))}
    </div>
  )
}

/** The nodes of a template in one line. */
export function nodesText(
  t: ReturnType<typeof useT>,
  { nodeNames, note }: Pick<ProcessTemplate, 'nodeNames' | 'note'>,
): string {
  if (note !== '') return note
  const names = nodeNames.slice(0, 4).join(t('workflow.listJoin'))
  return t('workflow.pick.nodes', { names, n: nodeNames.length })
}
