// The viewer of renditions: waits until the server has created it, then selects the viewer of its kind.
import type { Pages, PdfCopy, Picture, PlainText, Rendition } from '@cloudoc/contract'
import { codes, type TextEncodingName } from '@cloudoc/domain'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { serverOf } from '../../core/call/other-servers.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { type EntryProps, ListingViewer } from '../archive/listing-viewer.tsx'
import { EncodingChoice } from '../controls/encoding-choice.tsx'
import type { PictureInfo } from '../info/info-panel.tsx'
import type { ArchiveAccess } from '../rendition/archive-access.ts'
import { type OpenRendition, openGrowingPages, openRendition } from '../rendition/rendition.ts'
import { longPollMs, RenditionFailed, waitForRendition } from '../rendition/wait-for-rendition.ts'
import { FlowViewer } from './flow-viewer.tsx'
import { ImageViewer } from './image-viewer.tsx'
import { MailViewer } from './mail-viewer.tsx'
import { PagesViewer, type PagesViewerProps } from './pages-viewer.tsx'
import { SheetsViewer } from './sheets-viewer.tsx'
import { SlidesViewer } from './slides-viewer.tsx'
import '../rendition/rendition.css'

const PdfViewer = lazyComponent(() => import('../pdf/pdf-viewer.tsx').then((module) => module.PdfViewer), <Spinner />)

const CodeViewer = lazyComponent(() => import('./code-viewer.tsx').then((module) => module.CodeViewer), <Spinner />)

interface RenditionViewerProps {
  readonly url: string
  readonly previewKey: string
  /** Returns the progress, for callers without an account, who use another call. */
  readonly status?: (
    signal: AbortSignal,
  ) => Promise<{ readonly state: number; readonly percent: number; readonly msg: string; readonly pages: number }>
  readonly name: string
  readonly onShown?: (() => void) | undefined
  /** Receives the metadata of a picture. */
  readonly onPicture?: ((picture: PictureInfo) => void) | undefined
  /** Also called with the number of the reason. */
  readonly onFail: (error: unknown) => void
  readonly onRefused: (state: number, message: string) => void
  /** The actions, if the user may download the archive. */
  readonly archive?: ArchiveAccess | undefined
}

/** Renders a rendition. */
export function RenditionViewer(props: RenditionViewerProps): ReactNode {
  const { url, previewKey, status, name, onShown, onPicture, onFail, onRefused, archive } = props
  const [percent, setPercent] = useState<number>()
  const [shown, setShown] = useState<Omit<DrawnProps, 'name' | 'onFail' | 'onRefused' | 'archive'>>()
  const [pages, setPages] = useState<PagesViewerProps>()
  const fail = useEffectEvent(onFail)
  const refuse = useEffectEvent(onRefused)
  const tell = useEffectEvent(({ body }: OpenRendition) => {
    onShown?.()
    if (body.kind === 'picture') onPicture?.(body)
  })
  const ask = useEffectEvent((signal: AbortSignal, had: number) =>
    status === undefined
      ? api.of(serverOf(url)).getPreviewStatus({ previewKey, wait: longPollMs, had }, { quiet: true, signal })
      : status(signal),
  )
  const isHeld = useEffectEvent(() => status === undefined)

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const growing = openGrowingPages(url)
    const open = async (): Promise<void> => {
      let had = 0
      await waitForRendition(
        () => ask(signal, had),
        signal,
        async (answer) => {
          setPercent(answer.percent)
          had = answer.pages
          // A failure is ignored: the pages are loaded with the next ones, or with the complete rendition.
          const some = await growing.take(answer.pages).catch(() => undefined)
          if (some !== undefined && !signal.aborted) setPages({ pages: some, rendition: growing })
        },
        isHeld(),
      )
      const alreadyMade = await openRendition(url)
      const body = growing.end(alreadyMade)
      if (signal.aborted) return growing.close()
      if (body.kind === 'pages') setPages({ pages: body, rendition: growing })
      else setShown({ body, rendition: alreadyMade })
      tell(alreadyMade)
    }
    open().catch((error: unknown) => {
      if (signal.aborted) return
      if (error instanceof RenditionFailed) refuse(error.state, error.message)
      else fail(error)
    })
    return () => {
      leaving.abort()
      growing.close()
    }
  }, [url, previewKey])

  if (shown === undefined) return pages === undefined ? <Waiting percent={percent} /> : <PagesViewer {...pages} />
  return <Drawn {...shown} name={name} onFail={onFail} onRefused={onRefused} archive={archive} />
}

/** Shown only if the conversion takes a moment. */
function Waiting({ percent }: { readonly percent: number | undefined }): ReactNode {
  const t = useT()
  if (percent === undefined) return <Spinner />
  return (
    <div className="pv-unable rd-waiting" role="status">
      <span className="rd-waiting-page" />
      <h2>
        {t('drive.preview.converting')} {percent > 0 && `${percent}%`}
      </h2>
      <progress max={100} value={percent > 0 ? percent : undefined} aria-label={t('drive.preview.converting')} />
      <p>{t('drive.preview.convertedOnce')}</p>
    </div>
  )
}

interface DrawnProps {
  readonly body: Exclude<Rendition, Pages>
  readonly rendition: OpenRendition
  readonly name: string
  readonly onFail: (error: unknown) => void
  readonly onRefused: (state: number, message: string) => void
  readonly archive: ArchiveAccess | undefined
}

/** The status of an existing rendition. */
export const alreadyMade = () => Promise.resolve({ state: codes.success.code, percent: 100, msg: '', pages: 0 })

/** A file in an archive. */
function EntryViewer(props: EntryProps): ReactNode {
  return <RenditionViewer {...props} previewKey={props.url} status={alreadyMade} />
}

function Drawn({ body, rendition, name, onFail, onRefused, archive }: DrawnProps): ReactNode {
  switch (body.kind) {
    case 'flow':
      return <FlowViewer flow={body} rendition={rendition} />
    case 'sheets':
      return <SheetsViewer book={body} rendition={rendition} onFail={onFail} />
    case 'slides':
      return <SlidesViewer deck={body} rendition={rendition} />
    case 'listing':
      return (
        <ListingViewer
          listing={body}
          name={name}
          access={archive}
          Entry={EntryViewer}
          onFail={onFail}
          onRefused={onRefused}
        />
      )
    case 'mail':
      return <MailViewer mail={body} rendition={rendition} />
    case 'text':
      return <TextPart rendition={rendition} body={body} onFail={onFail} />
    case 'picture':
      return <PicturePart rendition={rendition} body={body} name={name} onFail={onFail} />
    case 'pdf':
      return <PdfPart rendition={rendition} body={body} onFail={onFail} />
  }
}

interface PartProps<B> {
  readonly rendition: OpenRendition
  readonly body: B
  readonly onFail: (error: unknown) => void
}

/** Loads a part of a rendition. */
function usePart(
  read: (part: number) => Promise<string>,
  part: number,
  onFail: (error: unknown) => void,
): string | undefined {
  const [found, setFound] = useState<string>()
  useEffect(() => {
    read(part).then(setFound, onFail)
  }, [read, part, onFail])
  return found
}

function TextPart({ rendition, body, onFail }: PartProps<PlainText>): ReactNode {
  const [chosen, setChosen] = useState<TextEncodingName>()
  const { encoding, part, hasErrors } = body.others?.find((one) => one.encoding === chosen) ?? body
  const text = usePart(rendition.text, part, onFail)
  if (text === undefined) return <Spinner />
  const isGuess = body.others !== undefined
  const choice = <EncodingChoice text={{ encoding, hasErrors, isGuess }} onChange={setChosen} />
  return <CodeViewer text={text} ext={body.language} head={choice} />
}

function PicturePart({ rendition, body, name, onFail }: PartProps<Picture> & { readonly name: string }): ReactNode {
  const url = usePart(rendition.address, body.part, onFail)
  return url === undefined ? (
    <Spinner />
  ) : (
    <ImageViewer url={url} name={name} mostFit={1} onFail={() => onFail(undefined)} />
  )
}

function PdfPart({ rendition, body, onFail }: PartProps<PdfCopy>): ReactNode {
  const url = usePart(rendition.address, body.part, onFail)
  return url === undefined ? <Spinner /> : <PdfViewer url={url} onFail={onFail} />
}
