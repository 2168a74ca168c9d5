// One file of a link: shown as far as it can be, and taken where the link gives it.
import { type ReactNode, useEffect, useState } from 'react'
import { coming } from '../../kit/lazy-component.tsx'
import { EditTools } from './edit-tools.tsx'
import { goodUntil, type Say, size, type Word } from './labels.ts'
import { askAhead, isPdf } from './prefetch.ts'
import { TopBar, type TopBarProps } from './top-bar.tsx'
import { Refused, refusals, take, type VisitedLink } from './visitor-api.ts'

/** Draws a file; at once where it was fetched before. */
export const Viewer = coming(() => import('./viewer.tsx').then((module) => module.Viewer), <p className="vi-wait">…</p>)
export const PrintButton = coming(() => import('./print-button.tsx').then((module) => module.PrintButton), null)
const startPdfWorker = () => import('../../viewing/pdf/pdf-worker.ts').then((module) => module.startPdfWorker())
const loadPdfStage = () => import('../../viewing/pdf/pdf-viewer.tsx')
const download = 8
const preview = 4

/**
 * Fetches what a file is shown with, its parts beside one another, while its link is still being opened. What fails is
 * fetched again when it is wanted.
 */
export async function fetchAhead(link: VisitedLink): Promise<void> {
  if (link.state !== 'open' || link.fType !== 1) return
  askAhead(link)
  await Promise.all([Viewer.fetch(), ...(isPdf(link) ? [loadPdfStage(), startPdfWorker()] : [])])
}

export interface ViewProps extends Pick<TopBarProps, 'say' | 'onTurn'> {
  readonly link: VisitedLink
  /** The link has ended meanwhile. */
  readonly onGone: () => void
}

const leftWord = (left: number): Word => (left > 1 ? 'left' : left === 1 ? 'leftOne' : 'noneLeft')

/** What is told of a link in the bar, after what it gives. */
export function detailsOf({ creatorName, endTime, rights, downloadsLeft }: VisitedLink, say: Say): readonly string[] {
  return [
    creatorName,
    goodUntil(endTime, say),
    ...(downloadsLeft === null ? [] : [say(leftWord(downloadsLeft), { n: downloadsLeft })]),
    ...((rights & download) === 0 ? [say('copyProtected')] : []),
  ]
}

export function FileView({ link, say, onTurn, onGone }: ViewProps): ReactNode {
  const { fId, fName, fileSize, version, mayEdit, rights, downloadsLeft } = link
  const { problem, run, fail } = useTaking(say, onGone)
  const mayTake = (rights & download) !== 0
  return (
    <>
      <TopBar link={link} say={say} onTurn={onTurn} details={[size(fileSize), ...detailsOf(link, say)]}>
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

/** Takes things, and tells what stands in the way. */
export function useTaking(
  say: Say,
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
    if (error instanceof Refused && error.result === refusals.usedUp) setText(say('noneLeft'))
    else setText(say('failed', { why: error instanceof Error ? error.message : '' }))
    onGone()
  }
  return {
    problem: text !== undefined && (
      <p className="vi-problem" role="alert">
        {text}
      </p>
    ),
    run: (items) => void take(items).catch(fail),
    fail,
  }
}
