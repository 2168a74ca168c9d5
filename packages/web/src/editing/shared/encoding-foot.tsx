// The encoding of an open text in the foot of its editor. In another encoding than its own a text is only shown, because
// drafts and versions are written in its own.
import { readText, type TextEncodingName, type TextFile } from '@cloudoc/domain'
import { type ReactNode, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useT } from '../../core/i18n/i18n.ts'
import { EncodingChoice } from '../../viewing/controls/encoding-choice.tsx'

/** The encoding that a text is shown in. */
export interface ShownEncoding {
  readonly own: TextFile
  readonly store: StoreApi<TextFile>
  /** Whether the text is shown in its own encoding. */
  readonly isOwn: () => boolean
  readonly choose: (encoding: TextEncodingName) => void
  /** Goes back to its own encoding, for an editor that puts a draft in. */
  readonly reset: () => void
}

/** Lets a text be shown in other encodings; `show` puts it into the editor. */
export function showEncodings(bytes: Uint8Array, own: TextFile, show: (file: TextFile) => void): ShownEncoding {
  const store = createStore<TextFile>(() => own)
  return {
    own,
    store,
    isOwn: () => store.getState() === own,
    reset: () => store.setState(own, true),
    choose(encoding) {
      // The content is replaced while it counts as another encoding, so that this is no change to save.
      const next = encoding === own.encoding ? own : readText(bytes, encoding)
      if (next !== own) store.setState(next, true)
      show(next)
      store.setState(next, true)
    },
  }
}

interface EncodingFootProps {
  readonly of: ShownEncoding
  /** The text in the editor. */
  readonly text: () => string
}

export function EncodingFoot({ of, text }: EncodingFootProps): ReactNode {
  const t = useT()
  const shown = useSyncExternalStore(of.store.subscribe, of.store.getState)
  const isOwn = shown === of.own
  if (!of.own.isGuess) return <span>{`${of.own.encoding.toUpperCase()}${of.own.hasMark ? ' BOM' : ''}`}</span>
  return (
    <>
      <EncodingChoice text={shown} disabled={isOwn && text() !== of.own.text} onChange={of.choose} />
      {!isOwn && <span role="status">{t('editor.encoding.onlyShown')}</span>}
    </>
  )
}
