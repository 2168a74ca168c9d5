// Changes a file of a link ([R222]): edits its text in the page, or uploads another file as its next version.
import { extNameOf } from '@cloudoc/domain'
import { type ReactNode, useRef, useState } from 'react'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import type { Labels } from './labels.ts'
import { refusalText } from './refusal-text.ts'
import { uploadVersion } from './visitor-api.ts'

const TextDesk = lazyComponent(
  () => import('./text-editing.tsx').then((module) => module.TextEditing),
  <p className="vi-wait">…</p>,
)

/** File types that are edited as text. Larger files are uploaded instead. */
const texts = new Set(
  'txt text log md markdown csv tsv json jsonl xml yml yaml toml ini conf css html htm js ts py java c h cpp go rs sql sh'.split(
    ' ',
  ),
)
const largestText = 2 * 1024 * 1024

interface EditToolsProps {
  readonly file: { readonly fId: number; readonly fName: string; readonly fileSize: number; readonly version: number }
  readonly say: Labels
  /** Called when the file has a new version, or can no longer be changed. */
  readonly onChanged: () => void
}

export function EditTools({ file, say, onChanged }: EditToolsProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [said, setSaid] = useState<string>()
  const isText = texts.has(extNameOf(file.fName).toLowerCase()) && file.fileSize <= largestText
  const send = async (content: File): Promise<void> => {
    try {
      const { done } = uploadVersion(file.fId, file.version, content, (share) =>
        setSaid(say('sending', { n: Math.round(share * 100) })),
      )
      setSaid(say('saved', { n: (await done).version }))
    } catch (error) {
      setSaid(refusalText(say, error))
    }
    onChanged()
  }
  return (
    <>
      {said !== undefined && <small role="status">{said}</small>}
      {isText && (
        <button type="button" onClick={() => setOpen(true)}>
          {say('edit')}
        </button>
      )}
      <button type="button" onClick={() => input.current?.click()}>
        {say('newVersion')}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={say('newVersion')}
        onChange={({ target }) => {
          const [content] = target.files ?? []
          if (content !== undefined) void send(content)
          target.value = ''
        }}
      />
      {isOpen && (
        <TextDesk
          file={file}
          say={say}
          onClose={() => {
            setOpen(false)
            onChanged()
          }}
        />
      )}
    </>
  )
}
