// The text editor of the visitor page ([R222]): the editor of the product with saving only.
import { extNameOf, readText, writeText } from '@cloudoc/domain'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { addTexts } from '../../core/i18n/i18n.ts'
import { type CodeMirrorEditor, openCodeMirror } from '../../editing/index.ts'
import type { Labels } from './labels.ts'
import { refusalText } from './refusal-text.ts'
import { Viewer } from './viewer.tsx'
import { contentUrl, refusals, uploadVersion, VisitRefused } from './visitor-api.ts'

// The texts of the editor's search bar, which the product loads with its first page.
const found = 'what with next previous all case word regexp replace replaceAll close'.split(' ')
const zh = '查找 替换为 下一处 上一处 全部选中 区分大小写 整词 正则表达式 替换 全部替换 关闭查找'.split(' ')
const en =
  'Find|Replace with|Next|Previous|Select all|Match case|Whole word|Regular expression|Replace|Replace all|Close search'
const keyed = (words: readonly string[]) =>
  Object.fromEntries(found.map((one, n) => [`editor.find.${one}`, words[n] ?? '']))
addTexts(keyed(zh), keyed(en.split('|')))

interface TextEditingProps {
  readonly file: { readonly fId: number; readonly fName: string; readonly fileSize: number; readonly version: number }
  readonly say: Labels
  readonly onClose: () => void
}

interface Opened {
  readonly surface: CodeMirrorEditor
  readonly bytes: () => Uint8Array<ArrayBuffer>
}

export function TextEditing({ file, say, onClose }: TextEditingProps): ReactNode {
  const { fId, fName, fileSize } = file
  const place = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<Opened>()
  const [openedVersion] = useState(file.version)
  const [version, setVersion] = useState(openedVersion)
  const [isDirty, setDirty] = useState(false)
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<string>()
  const [isLost, setLost] = useState(false)
  const [isShown, setShown] = useState(false)
  // A file that cannot be written back losslessly, or is not available, is only shown.
  const cannot = useEffectEvent(() => {
    setShown(true)
    setSaid(say('noEdit'))
  })
  useEffect(() => {
    const aborter = new AbortController()
    let surface: CodeMirrorEditor | undefined
    const open = async (): Promise<void> => {
      const answer = await fetch(contentUrl(fId, openedVersion, 'original'), { signal: aborter.signal })
      if (!answer.ok) return cannot()
      const text = readText(new Uint8Array(await answer.arrayBuffer()))
      if (!text.isFaithful || place.current === null) return cannot()
      const made = openCodeMirror({
        ...{ parent: place.current, text: text.text, ext: extNameOf(fName).toLowerCase(), label: fName },
        onChange: () => setDirty(true),
        onMove: () => undefined,
      })
      surface = made
      made.setReadOnly(false)
      made.focus()
      setOpened({ surface: made, bytes: () => new Uint8Array(writeText(made.text(), text)) })
    }
    open().catch((error: unknown) => {
      if (!aborter.signal.aborted) setSaid(error instanceof Error ? error.message : '')
    })
    return () => {
      aborter.abort()
      surface?.close()
    }
    // The file is opened only once, so that a newly saved version does not discard what the visitor has typed.
  }, [fId, fName, openedVersion])
  useEffect(() => {
    if (!isDirty) return undefined
    const stay = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', stay)
    return () => window.removeEventListener('beforeunload', stay)
  }, [isDirty])
  const save = async (): Promise<void> => {
    if (opened === undefined || busy || isLost) return
    setBusy(true)
    setDirty(false)
    try {
      const { done } = uploadVersion(fId, version, new Blob([opened.bytes()]))
      const made = await done
      setVersion(made.version)
      setSaid(say('saved', { n: made.version }))
    } catch (error) {
      setDirty(true)
      setLost(error instanceof VisitRefused && error.result === refusals.conflict)
      setSaid(refusalText(say, error))
    }
    setBusy(false)
  }
  const close = (): void => {
    // biome-ignore lint/suspicious/noAlert: the page of a visitor has no windows of its own
    if (!isDirty || window.confirm(say('leave'))) onClose()
  }
  const keepDraft = (): void => {
    if (opened === undefined) return
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([opened.bytes()]))
    link.download = fName
    link.click()
    setDirty(false)
  }
  return (
    <div
      className="vi-over"
      role="dialog"
      aria-modal="true"
      aria-label={fName}
      onKeyDown={(event) => {
        event.stopPropagation()
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
          event.preventDefault()
          void save()
        }
      }}
    >
      <div className="vi-bar">
        <div>
          <h2 title={fName}>{fName}</h2>
          <small role="status">{busy ? say('saving') : (said ?? (isDirty ? say('unsaved') : ''))}</small>
        </div>
        {isLost ? (
          <button type="button" className="vi-main" onClick={keepDraft}>
            {say('keepDraft')}
          </button>
        ) : (
          <button type="button" className="vi-main" disabled={!isDirty || busy} onClick={() => void save()}>
            {say('save')}
          </button>
        )}
        <button type="button" onClick={close}>
          {say('close')}
        </button>
      </div>
      {isShown && (
        <div className="vi-stage">
          <Viewer fileId={fId} name={fName} size={fileSize} failed={say('cannotShow')} onGone={onClose} />
        </div>
      )}
      <div className="vi-desk" hidden={isShown} ref={place} />
    </div>
  )
}
