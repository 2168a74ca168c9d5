// The previewer of a content that is no file of the drive: an attachment of a mail, a file of a conversation. The server
// answers its rendition at once.
import { extNameOf, formatSize } from '@cloudoc/domain'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { rawRequestHeaders } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { EllipsizedName } from '../../items/item/ellipsized-name.tsx'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { errorFromResponse } from '../rendition/rendition.ts'
import { ClosableHead } from '../shared/closable-head.tsx'
import { Content } from '../viewers/content.tsx'
import { conversionFailure, type PreviewFailure, previewFailure } from './preview-failure.ts'
import '../shared/texts.ts'
import '../shared/preview.css'

export interface ContentPreviewProps {
  readonly fName: string
  readonly fileSize: number
  /** The address of its rendition. */
  readonly url: string
}

/** The rendition as an object URL: it is made once, and read while the person scrolls. */
async function objectUrlOf(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { headers: rawRequestHeaders(), credentials: 'same-origin', signal })
  if (!response.ok) throw await errorFromResponse(response)
  return URL.createObjectURL(await response.blob())
}

/** Shows a content over the whole window, dark in every theme. */
export function ContentPreview({ fName, fileSize, url, close }: WindowProps<ContentPreviewProps>): ReactNode {
  const t = useT()
  const [address, setAddress] = useState<string>()
  const [failure, setFailure] = useState<PreviewFailure>()
  const root = useRef<HTMLDivElement>(null)
  const fail = useCallback(
    (error?: unknown) => setFailure(previewFailure({ fName, fileSize, canDownload: true }, error, t)),
    [fName, fileSize, t],
  )
  useEffect(() => {
    const gone = new AbortController()
    let made: string | undefined
    root.current?.focus()
    objectUrlOf(url, gone.signal).then(
      (found) => {
        made = found
        if (gone.signal.aborted) URL.revokeObjectURL(found)
        else setAddress(found)
      },
      (error: unknown) => gone.signal.aborted || fail(error),
    )
    return () => {
      gone.abort()
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [url, fail])
  return (
    <div className="pv on-dark" ref={root} tabIndex={-1}>
      <ClosableHead
        ext={extNameOf(fName)}
        name={<EllipsizedName name={fName} isFolder={false} />}
        size={formatSize(fileSize)}
        close={close}
      />
      <main className="pv-body">
        {failure !== undefined ? (
          <div className="pv-unable" role="alert">
            <FileIcon ext={extNameOf(fName)} size={64} />
            <h2>{failure.title}</h2>
            <p>{failure.text}</p>
          </div>
        ) : address === undefined ? (
          <Spinner />
        ) : (
          <Content
            address={{ url: address, previewKey: address, form: 'rendition' }}
            file={{ fName, fileSize }}
            none={null}
            isThere
            onFail={fail}
            onRefused={(state, message) =>
              setFailure(conversionFailure({ fName, fileSize, canDownload: true }, state, message, t))
            }
          />
        )}
      </main>
    </div>
  )
}
