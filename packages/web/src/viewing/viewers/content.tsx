// Selects the viewer of a content by its kind, independent of its source.
import { extNameOf } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import type { PictureInfo } from '../info/info-panel.tsx'
import type { ArchiveAccess } from '../rendition/archive-access.ts'
import type { PreviewAddress } from '../rendition/preview-addresses.ts'
import { previewKind } from '../shared/preview-kind.ts'
import { ImageViewer } from './image-viewer.tsx'
import { MediaViewer } from './media-viewer.tsx'
import { alreadyMade, RenditionViewer } from './rendition-viewer.tsx'
import { TextViewer } from './text-viewer.tsx'

const PdfViewer = lazyComponent(() => import('../pdf/pdf-viewer.tsx').then((module) => module.PdfViewer), <Spinner />)

/**
 * Loads and starts the PDF viewer while the preview URL is still requested: loading it takes longer than the document.
 */
export function prefetchViewer(name: string): void {
  if (previewKind(extNameOf(name)) !== 'pdf') return
  // A failure is ignored; the viewer loads it again.
  PdfViewer.fetch().catch(() => undefined)
  import('../pdf/pdf-worker.ts').then((module) => module.startPdfWorker()).catch(() => undefined)
}

interface ContentProps {
  readonly address: Pick<PreviewAddress, 'url' | 'previewKey' | 'form'>
  readonly file: { readonly fName: string; readonly fileSize: number }
  /** Rendered if there is no viewer for this kind of file. */
  readonly none: ReactNode
  /** The content is already complete, so nothing is waited for. */
  readonly isThere?: boolean
  readonly onShown?: () => void
  /** Receives the metadata of a picture once it is shown. */
  readonly onPicture?: ((picture: PictureInfo) => void) | undefined
  /** Receives a playing video once it has a visible frame. */
  readonly onFilm?: ((film: HTMLVideoElement) => void) | undefined
  readonly onFail: (error?: unknown) => void
  readonly onRefused: (state: number, message: string) => void
  /** The actions, if the user may download the archive. */
  readonly archive?: ArchiveAccess | undefined
}

/** Renders a content in its viewer. */
export function Content({
  address,
  file,
  none,
  isThere = false,
  onShown,
  onPicture,
  onFilm,
  onFail,
  onRefused,
  archive,
}: ContentProps): ReactNode {
  const { url, previewKey, form } = address
  const ext = extNameOf(file.fName)
  const kind = previewKind(ext)
  if (form === 'office') {
    return (
      <iframe
        className="pv-office"
        title={file.fName}
        src={url}
        sandbox="allow-scripts allow-forms allow-popups allow-downloads"
      />
    )
  }
  if (form === 'rendition') {
    return (
      <RenditionViewer
        key={previewKey}
        url={url}
        previewKey={previewKey}
        name={file.fName}
        {...(isThere && { status: alreadyMade })}
        onShown={onShown}
        onPicture={onPicture}
        onFail={onFail}
        onRefused={onRefused}
        archive={archive}
      />
    )
  }
  if (kind === undefined) return none
  switch (kind) {
    case 'image':
      return (
        <ImageViewer
          url={url}
          name={file.fName}
          mostFit={ext === 'svg' ? 4 : 1}
          onSize={(size) => onPicture?.({ ...size, url })}
          onFail={() => onFail()}
        />
      )
    case 'pdf':
      return <PdfViewer url={url} onFail={onFail} />
    case 'text':
    case 'table':
      return <TextViewer url={url} size={file.fileSize} ext={ext} table={kind === 'table'} onFail={onFail} />
    case 'audio':
    case 'video':
      return <MediaViewer {...{ kind, url, ext }} size={file.fileSize} onFail={() => onFail()} onSeen={onFilm} />
  }
}
