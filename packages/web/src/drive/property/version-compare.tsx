// Two versions of a file side by side: text with the changes marked, cells, or pictures under a slider.

import type { ItemRecord } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { evaluate } from '../../items/actions/actions.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { keyOf } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { ChevronLeft16Regular } from '../../kit/icons.ts'
import { PagePager } from '../../kit/pager.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { comparisonKind, type VersionPair } from '../../viewing/compare/comparable.ts'
import { ComparedLines, DifferenceButtons, differencesIn } from '../../viewing/compare/compared-lines.tsx'
import type { Line } from '../../viewing/compare/diff.ts'
import { compareLinesInWorker } from '../../viewing/compare/line-comparison.ts'
import { hasMadePages } from '../../viewing/rendition/made-pages.ts'
import { PictureCompare, SlidePictures } from './picture-compare.tsx'
import { restoreVersion } from './version-operations.ts'
import { readBothPages } from './version-pages.ts'
import { readVersionText, textLines } from './version-text.ts'
import { type CellChange, changedCells, readWorkbookCells } from './workbook-cells.ts'

interface VersionCompareProps {
  readonly item: ItemRecord
  readonly pair: VersionPair
  readonly onPair: (pair: VersionPair) => void
  readonly onBack: () => void
  readonly onClose: () => void
}

const versionsOffered = 200
/** The most pages that are named as different. */
const pagesNamed = 10

export function VersionCompare({ item, pair, onPair, onBack, onClose }: VersionCompareProps): ReactNode {
  const t = useT()
  const context = useActionContext()
  const [older, newer] = pair
  const [byPages, setByPages] = useState(false)
  const usual = comparisonKind(item.fName) ?? 'words'
  const by = byPages ? 'pages' : usual
  const { data: versions } = useQuery({
    queryKey: ['drive', 'versions', keyOf(item), 'offered', item.version],
    queryFn: () => api.of(item).getVersionList({ fileId: item.fId, from: 0, rows: versionsOffered }, { quiet: true }),
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
      {by === 'words' && <TextCompare key={key} {...props} />}
      {by === 'cells' && <CellCompare key={key} {...props} />}
      {by === 'pages' && <PageCompare key={key} {...props} />}
      {by === 'sight' && (
        <>
          <Bar pair={pair} said="" onBack={onBack} />
          {heads}
          <PictureCompare key={key} item={item} pair={pair} />
        </>
      )}
      <DialogFooter>
        {mayRestore && older !== item.version && (
          <Button onClick={() => void restoreVersion(item, older).then((done) => done && onBack())}>
            {t('property.restoreTo', { n: older })}
          </Button>
        )}
        {usual !== 'sight' && hasMadePages(item.fName) && (
          <Button onClick={() => setByPages(!byPages)}>
            {t(byPages ? 'property.compareContent' : 'property.comparePages')}
          </Button>
        )}
        <span className="dr-property-note">{by === 'words' && t('property.compareHint')}</span>
        <Button onClick={onClose}>{t('drive.close')}</Button>
      </DialogFooter>
    </>
  )
}

interface BarProps {
  readonly pair: VersionPair
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
  readonly pair: VersionPair
  readonly heads: ReactNode
  readonly onBack: () => void
}

/** Reads the data of both versions. A failure returns its reason. */
function useBoth<T>(
  what: string,
  { item, pair }: PartProps,
  read: (version: number, signal: AbortSignal) => Promise<T>,
) {
  return useQuery({
    queryKey: ['drive', 'compare', what, keyOf(item), ...pair],
    queryFn: ({ signal }) => Promise.all(pair.map((version) => read(version, signal))),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

function Failed({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }): ReactNode {
  const t = useT()
  return (
    <p className="dr-property-empty">
      {message === '' ? t('property.notCompared') : t('property.notComparedFor', { reason: message })}{' '}
      <Button kind="link" onClick={onRetry}>
        {t('drive.retry')}
      </Button>
    </p>
  )
}

function TextCompare(props: PartProps): ReactNode {
  const t = useT()
  const { item, pair, heads, onBack } = props
  /** The progress of extracting the text of both versions. */
  const [read, setRead] = useState<readonly [number, number]>([0, 0])
  const {
    data: lines,
    error,
    refetch,
  } = useQuery({
    queryKey: ['drive', 'compare', 'words', keyOf(item), ...pair],
    async queryFn({ signal }) {
      const [before, after] = await Promise.all(
        pair.map((version, side) =>
          readVersionText(item, version, signal, (percent) =>
            setRead(([a, b]) => (side === 0 ? [percent, b] : [a, percent])),
          ),
        ),
      )
      return compareLinesInWorker(textLines(before ?? []), textLines(after ?? []), signal)
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const [at, setAt] = useState(0)
  const changes = differencesIn(lines ?? [])
  if (error !== null)
    return (
      <>
        <Bar pair={pair} said="" onBack={onBack} />
        <Failed message={error.message} onRetry={() => void refetch()} />
      </>
    )
  const count = (kind: Line['kind']): number => lines?.filter((line) => line.kind === kind).length ?? 0
  const percent = Math.floor((read[0] + read[1]) / 2)
  const said =
    lines === undefined
      ? percent > 0 && percent < 100
        ? t('property.reading', { percent })
        : t('property.comparing')
      : changes === 0
        ? t('property.sameWords')
        : t('property.differs', { n: changes, add: count('add'), remove: count('remove'), change: count('change') })
  return (
    <>
      <Bar pair={pair} said={said} onBack={onBack}>
        <DifferenceButtons at={at} total={changes} onGo={setAt} />
      </Bar>
      {heads}
      {lines === undefined ? <Spinner /> : <ComparedLines lines={lines} at={at} />}
    </>
  )
}

/** The pages of both versions as LibreOffice sets them, one at a time. */
function PageCompare({ item, pair, heads, onBack }: PartProps): ReactNode {
  const t = useT()
  const context = useActionContext()
  const bySight = evaluate({ gate: 'download', count: 'one' }, [item], context).enabled
  const [chosen, setChosen] = useState<number>()
  const { data, error, refetch } = useQuery({
    queryKey: ['drive', 'compare', 'pages', keyOf(item), ...pair],
    queryFn: ({ signal }) => readBothPages(item, pair, bySight, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  useEffect(() => () => data?.close(), [data])
  if (error !== null)
    return (
      <>
        <Bar pair={pair} said="" onBack={onBack} />
        <Failed message={error.message} onRetry={() => void refetch()} />
      </>
    )
  const { pages = [] } = data ?? {}
  const different = pages.flatMap(({ differs }, n) => (differs ? [n + 1] : []))
  const said =
    data === undefined
      ? t('property.comparing')
      : different.length === 0
        ? t('property.samePages')
        : t('property.pagesDiffer', {
            n: different.length,
            list: different.slice(0, pagesNamed).join(t('property.listed')),
          })
  const page = chosen ?? different[0] ?? 1
  const shown = pages[page - 1]
  return (
    <>
      <Bar pair={pair} said={said} onBack={onBack}>
        <PagePager
          page={page - 1}
          pages={pages.length}
          onPage={(at) => setChosen(at + 1)}
          previousLabel={t('property.pageBefore')}
          nextLabel={t('property.pageNext')}
        />
      </Bar>
      {heads}
      {shown === undefined ? <Spinner /> : <SlidePictures key={page} pair={pair} urls={shown.urls} />}
    </>
  )
}

const cellsShown = 2000

function CellCompare(props: PartProps): ReactNode {
  const t = useT()
  const { item, pair, heads, onBack } = props
  const { data, error, refetch } = useBoth('cells', props, (version, signal) =>
    readWorkbookCells(item, version, signal),
  )
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
  const columns: readonly Column<CellChange>[] = [
    { id: 'sheet', head: t('property.sheet'), width: '96px', renderCell: ({ sheet }) => sheet },
    { id: 'cell', head: t('property.cell'), width: '96px', renderCell: ({ cell }) => cell },
    {
      id: 'before',
      head: t('drive.info.version', { n: pair[0] }),
      text: 'wrap',
      renderCell: ({ before }) => before !== '' && <del>{before}</del>,
    },
    {
      id: 'after',
      head: t('drive.info.version', { n: pair[1] }),
      text: 'wrap',
      renderCell: ({ after }) => after !== '' && <ins>{after}</ins>,
    },
  ]
  return (
    <>
      <Bar pair={pair} said={said} onBack={onBack} />
      {heads}
      {changes === undefined ? (
        <Spinner />
      ) : (
        <div className="dr-property-scroll" role="region" aria-label={t('property.compareRegion')} tabIndex={0}>
          <Table
            className="dr-property-cells"
            columns={columns}
            rows={changes.slice(0, cellsShown)}
            keyOf={({ sheet, cell }) => `${sheet} ${cell}`}
          />
          {changes.length > cellsShown && (
            <p className="dr-property-empty">{t('drive.andMore', { n: changes.length - cellsShown })}</p>
          )}
        </div>
      )}
    </>
  )
}
