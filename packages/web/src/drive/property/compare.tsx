// Two versions of a file beside each other: words with what changed in them, cells, or pictures under a slider.
import type { ItemRecord } from '@cloudoc/contract'
import { ChevronDown20Regular, ChevronLeft16Regular, ChevronUp20Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { evaluate } from '../actions/actions.ts'
import { useActionContext } from '../actions/use-action-context.ts'
import { type CellChange, changedCells, readBook } from './cells.ts'
import { comparedBy, type Pair } from './comparable.ts'
import { compareLines, type Line, type Side } from './diff.ts'
import { restoreVersion } from './operations.ts'
import { Pictures } from './pictures.tsx'

import { linesOf, readWords } from './words.ts'

interface CompareProps {
  readonly item: ItemRecord
  readonly pair: Pair
  readonly onPair: (pair: Pair) => void
  readonly onBack: () => void
  readonly onClose: () => void
}

const versionsOffered = 200

export function Compare({ item, pair, onPair, onBack, onClose }: CompareProps): ReactNode {
  const t = useT()
  const context = useActionContext()
  const [older, newer] = pair
  const by = comparedBy(item.fName) ?? 'words'
  const { data: versions } = useQuery({
    queryKey: ['drive', 'versions', item.fId, 'offered', item.version],
    queryFn: () => api.getVersionList({ fileId: item.fId, from: 0, rows: versionsOffered }, { quiet: true }),
  })
  const options = (versions?.list ?? []).map(({ version, versionName, creatorName }) => ({
    value: version,
    label: t('drive.info.version', { n: version }),
    note: versionName || creatorName,
  }))
  const mayRestore = evaluate({ gate: 'newVersion', count: 'one', writes: true }, [item], context).enabled
  const choose = (side: 0 | 1) => (version: number) => {
    const other = pair[1 - side] ?? version
    if (other !== version) onPair([Math.min(version, other), Math.max(version, other)])
  }
  const heads = (
    <div className="dr-compare-heads">
      <Select label={t('property.older')} size="small" value={older} options={options} onChange={choose(0)} />
      <Select label={t('property.newer')} size="small" value={newer} options={options} onChange={choose(1)} />
    </div>
  )
  const props = { item, pair, heads, onBack }
  const key = pair.join()
  return (
    <>
      {by === 'words' && <Words key={key} {...props} />}
      {by === 'cells' && <Cells key={key} {...props} />}
      {by === 'sight' && (
        <>
          <Bar pair={pair} said="" onBack={onBack} />
          {heads}
          <Pictures key={key} item={item} pair={pair} />
        </>
      )}
      <DialogFooter>
        {mayRestore && older !== item.version && (
          <Button onClick={() => void restoreVersion(item, older).then((done) => done && onBack())}>
            {t('property.restoreTo', { n: older })}
          </Button>
        )}
        <span className="dr-property-note">{by === 'words' && t('property.compareHint')}</span>
        <Button onClick={onClose}>{t('drive.close')}</Button>
      </DialogFooter>
    </>
  )
}

interface BarProps {
  readonly pair: Pair
  readonly said: string
  readonly onBack: () => void
  readonly children?: ReactNode
}

function Bar({ pair: [a, b], said, onBack, children }: BarProps): ReactNode {
  const t = useT()
  return (
    <div className="dr-compare-bar">
      <Button kind="ghost" size="small" icon={<ChevronLeft16Regular />} onClick={onBack}>
        {t('property.back')}
      </Button>
      <b>{t('property.compareTitle', { a, b })}</b>
      <span className="dr-property-hint" role="status">
        {said}
      </span>
      {children}
    </div>
  )
}

interface PartProps {
  readonly item: ItemRecord
  readonly pair: Pair
  readonly heads: ReactNode
  readonly onBack: () => void
}

/** Reads something of both versions; what fails says why. */
function useBoth<T>(
  what: string,
  { item, pair }: PartProps,
  read: (version: number, signal: AbortSignal) => Promise<T>,
) {
  return useQuery({
    queryKey: ['drive', 'compare', what, item.fId, ...pair],
    queryFn: ({ signal }) => Promise.all(pair.map((version) => read(version, signal))),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

function Failed({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }): ReactNode {
  const t = useT()
  return (
    <p className="dr-property-empty">
      {message === '' ? t('property.notCompared') : `${t('property.notCompared')}：${message}`}{' '}
      <Button kind="link" onClick={onRetry}>
        {t('drive.retry')}
      </Button>
    </p>
  )
}

/** Unchanged lines that stay around a change; more of them are folded. */
const around = 3

type Shown =
  | { readonly line: Line; readonly change: number | undefined }
  | { readonly folded: number; readonly at: number }

/** The lines with runs of unchanged ones folded, and the changes numbered: those that follow each other are one. */
function shownOf(lines: readonly Line[], unfolded: ReadonlySet<number>): { shown: Shown[]; changes: number } {
  const shown: Shown[] = []
  let changes = 0
  for (let at = 0; at < lines.length; ) {
    const isSame = lines[at]?.kind === 'same'
    let end = at
    while (end < lines.length && (lines[end]?.kind === 'same') === isSame) end += 1
    const run = lines.slice(at, end)
    if (!isSame) {
      for (const line of run) shown.push({ line, change: changes })
      changes += 1
    } else {
      const head = at === 0 ? 0 : around
      const tail = end === lines.length ? 0 : around
      if (run.length <= head + tail + 2 || unfolded.has(at))
        for (const line of run) shown.push({ line, change: undefined })
      else {
        for (const line of run.slice(0, head)) shown.push({ line, change: undefined })
        shown.push({ folded: run.length - head - tail, at })
        for (const line of run.slice(run.length - tail)) shown.push({ line, change: undefined })
      }
    }
    at = end
  }
  return { shown, changes }
}

function Words(props: PartProps): ReactNode {
  const t = useT()
  const { item, pair, heads, onBack } = props
  const { data, error, refetch } = useBoth('words', props, (version, signal) => readWords(item.fId, version, signal))
  const lines = useMemo(
    () => (data === undefined ? undefined : compareLines(linesOf(data[0] ?? []), linesOf(data[1] ?? []))),
    [data],
  )
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const [at, setAt] = useState(0)
  const body = useRef<HTMLDivElement>(null)
  const { shown, changes } = useMemo(() => shownOf(lines ?? [], unfolded), [lines, unfolded])
  useEffect(() => {
    body.current?.querySelector(`[data-change="${at}"]`)?.scrollIntoView({ block: 'center' })
  }, [at, lines])
  if (error !== null)
    return (
      <>
        <Bar pair={pair} said="" onBack={onBack} />
        <Failed message={error.message} onRetry={() => void refetch()} />
      </>
    )
  const count = (kind: Line['kind']): number => lines?.filter((line) => line.kind === kind).length ?? 0
  const said =
    lines === undefined
      ? t('property.comparing')
      : changes === 0
        ? t('property.sameWords')
        : t('property.differs', { n: changes, add: count('add'), remove: count('remove'), change: count('change') })
  const go = (by: 1 | -1): void => setAt((at + by + changes) % changes)
  return (
    <>
      <Bar pair={pair} said={said} onBack={onBack}>
        {changes > 0 && (
          <span className="dr-property-picked">
            <IconButton
              size="small"
              label={t('property.changeBefore')}
              icon={<ChevronUp20Regular />}
              onClick={() => go(-1)}
            />
            <span>{t('property.nth', { n: at + 1, total: changes })}</span>
            <IconButton
              size="small"
              label={t('property.changeNext')}
              icon={<ChevronDown20Regular />}
              onClick={() => go(1)}
            />
          </span>
        )}
      </Bar>
      {heads}
      {lines === undefined ? (
        <Spinner />
      ) : (
        <div className="dr-compare" ref={body} role="region" aria-label={t('property.compareRegion')} tabIndex={0}>
          {shown.map((one, n) =>
            'folded' in one ? (
              <button
                // The place in the list is what it is.
                key={`fold ${one.at}`}
                type="button"
                className="dr-compare-fold"
                onClick={() => setUnfolded(new Set([...unfolded, one.at]))}
              >
                {t('property.folded', { n: one.folded })}
              </button>
            ) : (
              <div
                key={`${one.line.left?.n ?? ''} ${one.line.right?.n ?? ''} ${n}`}
                className={`dr-compare-line is-${one.line.kind}${one.change === at ? ' is-current' : ''}`}
                {...(one.change === undefined ? {} : { 'data-change': one.change })}
              >
                <Half side={one.line.left} as="del" />
                <Half side={one.line.right} as="ins" />
              </div>
            ),
          )}
        </div>
      )}
    </>
  )
}

function Half({ side, as: Mark }: { readonly side: Side | undefined; readonly as: 'del' | 'ins' }): ReactNode {
  if (side === undefined) return <span className="dr-compare-gap" />
  return (
    <span className="dr-compare-half">
      <i>{side.n}</i>
      <span>
        {side.pieces.map(({ text, changed }, n) => {
          const key = `${n} ${text.length}`
          return changed ? <Mark key={key}>{text}</Mark> : <span key={key}>{text}</span>
        })}
      </span>
    </span>
  )
}

const cellsShown = 2000

function Cells(props: PartProps): ReactNode {
  const t = useT()
  const { item, pair, heads, onBack } = props
  const { data, error, refetch } = useBoth('cells', props, (version, signal) => readBook(item.fId, version, signal))
  const changes = useMemo((): CellChange[] | undefined => {
    const [before, after] = data ?? []
    return before === undefined || after === undefined ? undefined : changedCells(before, after)
  }, [data])
  if (error !== null)
    return (
      <>
        <Bar pair={pair} said="" onBack={onBack} />
        <Failed message={error.message} onRetry={() => void refetch()} />
      </>
    )
  const said =
    changes === undefined
      ? t('property.comparing')
      : changes.length === 0
        ? t('property.sameCells')
        : t('property.cellsDiffer', { n: changes.length })
  return (
    <>
      <Bar pair={pair} said={said} onBack={onBack} />
      {heads}
      {changes === undefined ? (
        <Spinner />
      ) : (
        <div className="dr-property-scroll" role="region" aria-label={t('property.compareRegion')} tabIndex={0}>
          <table className="dr-property-table is-cells">
            <thead>
              <tr>
                <th>{t('property.sheet')}</th>
                <th>{t('property.cell')}</th>
                <th>{t('drive.info.version', { n: pair[0] })}</th>
                <th>{t('drive.info.version', { n: pair[1] })}</th>
              </tr>
            </thead>
            <tbody>
              {changes.slice(0, cellsShown).map(({ sheet, cell, before, after }) => (
                <tr key={`${sheet} ${cell}`}>
                  <td>{sheet}</td>
                  <td>{cell}</td>
                  <td>{before !== '' && <del>{before}</del>}</td>
                  <td>{after !== '' && <ins>{after}</ins>}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {changes.length > cellsShown && (
            <p className="dr-property-empty">{t('drive.andMore', { n: changes.length - cellsShown })}</p>
          )}
        </div>
      )}
    </>
  )
}
