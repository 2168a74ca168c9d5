// The floating toolbar of the previewer: page, zoom, fit, rotate.

import { type ReactNode, useRef } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import {
  Add20Regular,
  ArrowRotateClockwise20Regular,
  ChevronDown12Regular,
  ChevronDown20Regular,
  ChevronUp20Regular,
  FullScreenMaximize20Regular,
  PanelLeft20Regular,
  Subtract20Regular,
} from '../../kit/icons.ts'
import { nextZoom, type Zoom, zoomLevels } from '../shared/zoom.ts'

interface PageBarProps {
  readonly page?: number
  readonly pages?: number
  readonly onPage?: (page: number) => void
  readonly zoom: Zoom
  readonly percent: number
  readonly onZoom: (zoom: Zoom) => void
  /** Pages are in one column: they fit by width, or as a whole. */
  readonly wholePages?: boolean
  readonly onTurn?: () => void
  /** The page strip, if there is one. */
  readonly strip?: { readonly shown: boolean; readonly toggle: () => void } | undefined
}

/** The buttons for a document or a picture; the previewer handles their shortcut keys. */
export function PageBar({
  page = 0,
  pages = 0,
  onPage,
  zoom,
  percent,
  onZoom,
  wholePages = false,
  onTurn,
  strip,
}: PageBarProps): ReactNode {
  const t = useT()
  const choose = (): void => {
    const to = (id: string, label: string, one: Zoom): MenuEntry => ({
      id,
      label,
      checked: zoom === one,
      run: () => onZoom(one),
    })
    const { left, top } = chooser.current?.getBoundingClientRect() ?? { left: 0, top: 0 }
    const entries = [
      ...zoomLevels.map((factor) => to(String(factor), `${factor * 100}%`, factor)),
      { separator: true } as const,
      to('fit', t(wholePages ? 'drive.preview.fitWidth' : 'drive.preview.fit'), 'fit'),
      ...(wholePages ? [to('page', t('drive.preview.fitPage'), 'page')] : []),
    ]
    void showMenu(entries, { x: left, y: top })
  }
  const chooser = useRef<HTMLButtonElement>(null)
  return (
    <div className="pv-bar" role="toolbar" aria-label={t('drive.preview.view')}>
      {strip !== undefined && (
        <>
          <BarButton
            className="pv-strip-toggle"
            label={t('drive.preview.pages')}
            keys="t"
            pressed={strip.shown}
            onClick={strip.toggle}
          >
            <PanelLeft20Regular />
          </BarButton>
          <i className="pv-line pv-strip-toggle" />
        </>
      )}
      {onPage !== undefined && (
        <>
          <BarButton label={t('drive.preview.pageBefore')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <ChevronUp20Regular />
          </BarButton>
          <span className="pv-page-number">
            <b>{page}</b> / {pages}
          </span>
          <BarButton label={t('drive.preview.pageAfter')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <ChevronDown20Regular />
          </BarButton>
          <i className="pv-line" />
        </>
      )}
      <BarButton label={t('drive.preview.zoomOut')} keys="-" onClick={() => onZoom(nextZoom(-1, percent))}>
        <Subtract20Regular />
      </BarButton>
      <button
        type="button"
        ref={chooser}
        className="pv-button pv-percent"
        title={`${t('drive.preview.zoom')} (Z)`}
        aria-label={`${t('drive.preview.zoom')} ${Math.round(percent * 100)}%`}
        aria-haspopup="menu"
        data-key="z"
        onClick={choose}
      >
        {Math.round(percent * 100)}%
        <ChevronDown12Regular />
      </button>
      <BarButton label={t('drive.preview.zoomIn')} keys="+" onClick={() => onZoom(nextZoom(1, percent))}>
        <Add20Regular />
      </BarButton>
      <i className="pv-line" />
      <BarButton
        label={t('drive.preview.fit')}
        keys="0"
        pressed={zoom === 'fit'}
        onClick={() => onZoom(zoom === 'fit' ? 1 : 'fit')}
      >
        <FullScreenMaximize20Regular />
      </BarButton>
      {onTurn !== undefined && (
        <BarButton label={t('drive.preview.turn')} keys="r" onClick={onTurn}>
          <ArrowRotateClockwise20Regular />
        </BarButton>
      )}
    </div>
  )
}

interface BarButtonProps {
  readonly className?: string
  readonly label: string
  /** The shortcut key of this button in the previewer. */
  readonly keys?: string
  readonly disabled?: boolean
  readonly pressed?: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A toolbar button. */
export function BarButton({
  className = '',
  label,
  keys,
  disabled = false,
  pressed,
  onClick,
  children,
}: BarButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={`pv-button ${className}`.trim()}
      title={keys === undefined ? label : `${label} (${keys.toUpperCase()})`}
      aria-label={label}
      aria-pressed={pressed}
      data-key={keys}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
