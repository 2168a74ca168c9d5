// One file of a link: shown as far as possible, with a download where the link allows it.
import { type ReactNode, useEffect, useState } from 'react'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { EditTools } from './edit-tools.tsx'
import { type LabelKey, type Labels, sizeText, validityText } from './labels.ts'
import { isPdf, prefetchFile } from './prefetch.ts'
import { TopBar, type TopBarProps } from './top-bar.tsx'
import { downloadItems, refusals, type VisitedLink, VisitRefused } from './visitor-api.ts'

/** The lazily loaded viewer. It renders at once if it was prefetched. */
export const Viewer = lazyComponent(
  () => import('./viewer.tsx').then((module) => module.Viewer),
  <p className="vi-wait">…</p>,
)
export const PrintButton = lazyComponent(() => import('./print-button.tsx').then((module) => module.PrintButton), null)
const startPdfWorker = () => import('../../viewing/pdf/pdf-worker.ts').then((module) => module.startPdfWorker())
const loadPdfViewer = () => import('../../viewing/pdf/pdf-viewer.tsx')
const download = 8
const preview = 4

/**
 * Prefetches the code and data for a file in parallel, while its link is still being opened. What fails is fetched
 * again on use.
 */
export async function prefetchViewer(link: VisitedLink): Promise<void> {
  if (link.state !== 'open' || link.fType !== 1) return
  prefetchFile(link)
  await Promise.all([Viewer.fetch(), ...(isPdf(link) ? [loadPdfViewer(), startPdfWorker()] : [])])
}

export interface ViewProps extends Pick<TopBarProps, 'say' | 'onTurn'> {
  readonly link: VisitedLink
  /** Called when the link is no longer valid. */
  readonly onGone: () => void
}

const leftWord = (left: number): LabelKey => (left > 1 ? 'left' : left === 1 ? 'leftOne' : 'noneLeft')

/** Returns the details of a link for the bar, after its rights. */
export function detailsOf(
  { creatorName, endTime, rights, downloadsLeft }: VisitedLink,
  say: Labels,
): readonly string[] {
  return [
    creatorName,
    validityText(endTime, say),
    ...(downloadsLeft === null ? [] : [say(leftWord(downloadsLeft), { n: downloadsLeft })]),
    ...((rights & download) === 0 ? [say('copyProtected')] : []),
  ]
}

export function FileView({ link, say, onTurn, onGone }: ViewProps): ReactNode {
  const { fId, fName, fileSize, version, mayEdit, rights, downloadsLeft } = link
  const { problem, run, fail } = useDownload(say, onGone)
  const mayTake = (rights & download) !== 0
  return (
    <>
      <TopBar link={link} say={say} onTurn={onTurn} details={[sizeText(fileSize), ...detailsOf(link, say)]}>
        {mayEdit && <EditTools file={{ fId, fName, fileSize, version }} say={say} onChanged={onGone} />}
        {downloadsLeft !== 0 && <PrintButton file={link} say={say} onDone={onGone} onFail={fail} />}
        {mayTake && (
          <button
            type="button"
            className="vi-main"
            disabled={downloadsLeft === 0}
            onClick={() => run([{ fId, fType: 1 }])}
          >
            {say('download')}
          </button>
        )}
      </TopBar>
      <main className="vi-file">
        {problem}
        {(rights & preview) !== 0 && (
          <div className="vi-stage">
            <Viewer
              key={version}
              fileId={fId}
              name={fName}
              size={fileSize}
              failed={say('cannotShow')}
              onGone={onGone}
            />
          </div>
        )}
      </main>
    </>
  )
}

/** Downloads items and reports refusals. */
export function useDownload(
  say: Labels,
  onGone: () => void,
): {
  readonly problem: ReactNode
  readonly run: (items: readonly { fId: number; fType: 1 | 2 }[]) => void
  readonly fail: (error: unknown) => void
} {
  const [text, setText] = useState<string>()
  useEffect(() => {
    if (text === undefined) return
    const ends = setTimeout(() => setText(undefined), 8000)
    return () => clearTimeout(ends)
  }, [text])
  const fail = (error: unknown): void => {
    if (error instanceof VisitRefused && error.result === refusals.usedUp) setText(say('noneLeft'))
    else setText(say('failed', { why: error instanceof Error ? error.message : '' }))
    onGone()
  }
  return {
    problem: text !== undefined && (
      <p className="vi-problem" role="alert">
        {text}
      </p>
    ),
    run: (items) => void downloadItems(items).catch(fail),
    fail,
  }
}
