// The common tools of all editors, also for co-editing: undo, redo, find, print and zoom.
import type { ItemRecord } from '@cloudoc/contract'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { evaluate, rules } from '../../items/actions/actions.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { IconButton } from '../../kit/button.tsx'
import {
  ArrowRedo20Regular,
  ArrowUndo20Regular,
  Print20Regular,
  Search20Regular,
  ZoomIn20Regular,
  ZoomOut20Regular,
} from '../../kit/icons.ts'

/** The interface of the tools to the edited content. */
export interface EditorCommands {
  readonly undo: () => void
  readonly redo: () => void
  readonly find?: () => void
  readonly print?: () => void
  /** Called when its size has changed. */
  readonly measure?: () => void
}

export interface EditorTools {
  readonly zoom: number
  readonly zoomBy: (step: 1 | -1) => void
  /** Undefined if printing is not allowed. */
  readonly print: (() => void) | undefined
  /** The keyboard shortcuts of the tools; Esc closes the find bar, never the editor. */
  readonly onKeyDown: (event: KeyboardEvent) => void
}

const zooms = [50, 75, 90, 100, 110, 125, 150, 200, 300] as const

/** The tools of an editor; `save` is the action of Ctrl+S. */
export function useEditorTools(
  item: ItemRecord,
  work: EditorCommands | undefined,
  save: (() => void) | undefined,
): EditorTools {
  const t = useT()
  const context = useActionContext()
  const [zoom, setZoom] = useState(100)
  const canPrint = evaluate(rules.print, [item], context).enabled
  useEffect(() => {
    if (zoom > 0) work?.measure?.()
  }, [zoom, work])
  const zoomBy = (step: 1 | -1): void => {
    const i = zooms.findIndex((one) => one >= zoom)
    setZoom(zooms[Math.min(zooms.length - 1, Math.max(0, i + step))] ?? 100)
  }
  const print = canPrint ? work?.print : undefined
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = event.key.toLowerCase()
    if (event.key === 'Escape') return event.stopPropagation()
    if (!event.ctrlKey && !event.metaKey) return
    if (key === 's') save?.()
    else if (key === 'p') {
      if (print === undefined) notifyFailure(t('drive.preview.noPrint'))
      else print()
    } else if ((key === 'f' || key === 'h') && work?.find !== undefined) work.find()
    else if (key === '=' || key === '+') zoomBy(1)
    else if (key === '-') zoomBy(-1)
    else if (key === '0') setZoom(100)
    else return
    event.preventDefault()
  }
  return { zoom, zoomBy, print, onKeyDown }
}

/** Ctrl and the mouse wheel zoom the content of an editor instead of the page. */
export function useWheelZoom(editor: RefObject<HTMLElement | null>, zoomBy: EditorTools['zoomBy']): void {
  const latest = useRef(zoomBy)
  useEffect(() => {
    latest.current = zoomBy
  })
  useEffect(() => {
    const element = editor.current
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return
      event.preventDefault()
      latest.current(event.deltaY < 0 ? 1 : -1)
    }
    // React registers wheel listeners as passive, so the page zoom could not be prevented.
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [editor])
}

interface WorkButtonsProps {
  readonly work: EditorCommands | undefined
  readonly tools: EditorTools
  readonly isEditable: boolean
}

/** The toolbar buttons. */
export function CommandButtons({ work, tools: { print }, isEditable }: WorkButtonsProps): ReactNode {
  const t = useT()
  const find = work?.find
  return (
    <>
      <IconButton
        label={t('editor.undo')}
        hint="Ctrl+Z"
        icon={<ArrowUndo20Regular />}
        disabled={!isEditable}
        onClick={() => work?.undo()}
      />
      <IconButton
        label={t('editor.redo')}
        hint="Ctrl+Y"
        icon={<ArrowRedo20Regular />}
        disabled={!isEditable}
        onClick={() => work?.redo()}
      />
      {find !== undefined && (
        <IconButton label={t('editor.find')} hint="Ctrl+F" icon={<Search20Regular />} onClick={() => find()} />
      )}
      {print !== undefined && (
        <IconButton label={t('drive.print')} hint="Ctrl+P" icon={<Print20Regular />} onClick={() => print()} />
      )}
    </>
  )
}

/** The zoom buttons in the footer. */
export function ZoomButtons({ zoom, zoomBy }: Pick<EditorTools, 'zoom' | 'zoomBy'>): ReactNode {
  const t = useT()
  return (
    <span className="ed-zoom">
      <IconButton
        size="small"
        label={t('drive.preview.zoomOut')}
        icon={<ZoomOut20Regular />}
        onClick={() => zoomBy(-1)}
      />
      {zoom}%
      <IconButton size="small" label={t('drive.preview.zoomIn')} icon={<ZoomIn20Regular />} onClick={() => zoomBy(1)} />
    </span>
  )
}
