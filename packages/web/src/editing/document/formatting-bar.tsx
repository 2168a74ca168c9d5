// The toolbar of the document editor: character and paragraph formatting, and insertion. In a narrow window the
// paragraph formatting is in a menu.
import {
  type Align,
  withColor,
  withFont,
  withHighlight,
  withLineSpacing,
  withRun,
  withSize,
  withStyle,
} from '@cloudoc/office/document'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  Highlight20Regular,
  TextAlignCenter20Regular,
  TextAlignJustify20Regular,
  TextAlignLeft20Regular,
  TextAlignRight20Regular,
  TextBold20Regular,
  TextBulletList20Regular,
  TextClearFormatting20Regular,
  TextColor20Regular,
  TextIndentDecreaseLtr20Regular,
  TextIndentIncreaseLtr20Regular,
  TextItalic20Regular,
  TextNumberListLtr20Regular,
  TextStrikethrough20Regular,
  TextUnderline20Regular,
} from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { commonFonts } from '../shared/common-fonts.ts'
import { Flyout } from '../shared/flyout.tsx'
import {
  align,
  changeParagraphs,
  changeRuns,
  type Formatting,
  indent,
  toggleInlineStyle,
  toggleList,
} from './formatting.ts'
import { InsertButtons } from './insert-buttons.tsx'
import type { PageEditor } from './page-editor.ts'
import { TableButton } from './table-button.tsx'

/** Below this width the paragraph formatting moves to a menu. */
const wide = 1150

const inlineStyles = [
  ['b', 'Ctrl+B', <TextBold20Regular key="b" />],
  ['i', 'Ctrl+I', <TextItalic20Regular key="i" />],
  ['u', 'Ctrl+U', <TextUnderline20Regular key="u" />],
  ['strike', 'Ctrl+Shift+X', <TextStrikethrough20Regular key="s" />],
] as const

const aligns: readonly (readonly [Align, string, ReactNode])[] = [
  ['left', 'Ctrl+L', <TextAlignLeft20Regular key="l" />],
  ['center', 'Ctrl+E', <TextAlignCenter20Regular key="c" />],
  ['right', 'Ctrl+R', <TextAlignRight20Regular key="r" />],
  ['both', 'Ctrl+J', <TextAlignJustify20Regular key="j" />],
]

/** Font sizes in points that have names in Chinese. */
const sizes = [42, 36, 26, 24, 22, 18, 16, 15, 14, 12, 10.5, 9, 7.5] as const
const plainSizes = [8, 10, 11, 20, 28, 48, 72]

const lines = [1, 1.15, 1.5, 2, 2.5, 3]

const colors =
  '000000 4E5969 86909C C9CDD4 FFFFFF C00000 F53F3F FF7D00 FADC19 00B42A 1D7A3E 14C9C9 165DFF 0E42D2 1F2F7A 722ED1 D91AD9 F5319D 8B5A2B 7F3F00'.split(
    ' ',
  )
const highlights: readonly (readonly [string, string])[] = [
  ['yellow', '#ffff00'],
  ['green', '#00ff00'],
  ['cyan', '#00ffff'],
  ['magenta', '#ff00ff'],
  ['red', '#ff0000'],
  ['blue', '#0000ff'],
  ['darkYellow', '#808000'],
  ['darkGreen', '#008000'],
  ['lightGray', '#c0c0c0'],
  ['darkGray', '#808080'],
]

interface GroupProps {
  readonly page: PageEditor
  readonly formats: Formatting
}

export function FormattingBar({ page, link }: { readonly page: PageEditor; readonly link: () => void }): ReactNode {
  const t = useT()
  const bar = useRef<HTMLDivElement>(null)
  const [isNarrow, setNarrow] = useState(false)
  useEffect(() => {
    const element = bar.current
    if (element === null) return
    const watch = new ResizeObserver(() => setNarrow(element.clientWidth < wide))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  const formats = page.formats()
  return (
    // Pressing a button does not change the selection.
    <div
      ref={bar}
      className="dc-bar"
      role="toolbar"
      aria-label={t('editor.doc.looks')}
      onMouseDown={(event) => event.preventDefault()}
    >
      <Styles page={page} formats={formats} />
      <Letters page={page} formats={formats} />
      {isNarrow ? <ParagraphMenu page={page} formats={formats} /> : <Paragraphs page={page} formats={formats} />}
      <i className="dc-rule" />
      <TableButton page={page} />
      <InsertButtons page={page} link={link} />
    </div>
  )
}

function Styles({ page, formats: { style } }: GroupProps): ReactNode {
  const t = useT()
  const { headings } = page.document()
  if (headings.length === 0) return undefined
  const isKnown = style === '' || headings.some(({ id }) => id === style)
  return (
    <Select
      size="small"
      className="is-style"
      label={t('editor.doc.style')}
      value={style}
      options={[
        { value: '', label: t('editor.doc.style.0') },
        ...headings.map(({ id, level }) => ({ value: id, label: t(`editor.doc.style.${level as 1 | 2 | 3 | 9}`) })),
        ...(isKnown ? [] : [{ value: style, label: page.document().styleName(style) }]),
      ]}
      onChange={(id) => page.run(changeParagraphs((pPr) => withStyle(pPr, id)))}
    />
  )
}

const pointsOf = (pixels: number | undefined): number => (pixels === undefined ? 0 : Math.round(pixels * 7.5) / 10)
function sizeName(points: number): string {
  const named = sizes.find((one) => one === points)
  return named === undefined ? String(points) : say(`editor.doc.size.${named}`)
}

function Letters({ page, formats }: GroupProps): ReactNode {
  const t = useT()
  const fonts = [...new Set([...page.document().fonts, ...commonFonts, formats.font])].filter((name) => name !== '')
  const points = pointsOf(formats.run.size)
  const all = [...new Set([...sizes, ...plainSizes, points])].filter((one) => one > 0)
  return (
    <>
      <Select
        size="small"
        className="is-font"
        label={t('editor.doc.font')}
        value={formats.font}
        options={[
          ...(formats.font === '' ? [{ value: '', label: t('editor.doc.font.usual'), disabled: true }] : []),
          ...fonts.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(name) => page.run(changeRuns((rPr) => withFont(rPr, name)))}
      />
      <Select
        size="small"
        className="is-size"
        label={t('editor.doc.size')}
        value={points}
        options={[
          ...(points === 0 ? [{ value: 0, label: sizeName(10.5), disabled: true }] : []),
          ...all.toSorted((a, b) => b - a).map((one) => ({ value: one, label: sizeName(one) })),
        ]}
        onChange={(size) => page.run(changeRuns((rPr) => withSize(rPr, size)))}
      />
      <i className="dc-rule" />
      {inlineStyles.map(([look, hint, icon]) => (
        <IconButton
          key={look}
          label={t(`editor.doc.look.${look}`)}
          hint={hint}
          icon={icon}
          pressed={formats.on[look]}
          onClick={() => page.run(toggleInlineStyle(page.document, look))}
        />
      ))}
      <Flyout
        label={t('editor.doc.color')}
        icon={
          <span className="dc-ink" style={{ borderColor: formats.run.color ?? '#1d2129' }}>
            <TextColor20Regular />
          </span>
        }
        columns={5}
      >
        {(close) => (
          <Swatches
            colors={colors.map((one) => [one, `#${one}`])}
            none={t('editor.doc.color.usual')}
            choose={(color) => {
              close()
              page.run(changeRuns((rPr) => withColor(rPr, color ?? 'auto')))
            }}
          />
        )}
      </Flyout>
      <Flyout
        label={t('editor.doc.highlight')}
        icon={
          <span className="dc-ink" style={{ borderColor: formats.run.back ?? 'transparent' }}>
            <Highlight20Regular />
          </span>
        }
        columns={5}
      >
        {(close) => (
          <Swatches
            colors={highlights}
            none={t('editor.doc.highlight.none')}
            choose={(name) => {
              close()
              page.run(changeRuns((rPr) => withHighlight(rPr, name ?? 'none')))
            }}
          />
        )}
      </Flyout>
      <IconButton
        label={t('editor.doc.plain')}
        icon={<TextClearFormatting20Regular />}
        onClick={() => page.run(changeRuns(plainRun))}
      />
      <i className="dc-rule" />
    </>
  )
}

/** The run properties that remain after clearing the formatting: the style and the language. */
function plainRun(rPr: string): string {
  const gone =
    'rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint color spacing w kern position sz szCs highlight u effect bdr shd vertAlign em'
  return withRun(rPr, 'rFonts', undefined, gone.split(' '))
}

interface SwatchesProps {
  /** The colors with their names in the file. */
  readonly colors: readonly (readonly [string, string])[]
  readonly none: string
  readonly choose: (name: string | undefined) => void
}

function Swatches({ colors: all, none, choose }: SwatchesProps): ReactNode {
  return (
    <>
      <div className="dc-swatches">
        {all.map(([name, color]) => (
          <button
            key={name}
            type="button"
            aria-label={color}
            data-tip={color}
            style={{ background: color }}
            onClick={() => choose(name)}
          />
        ))}
      </div>
      <Button size="small" kind="ghost" onClick={() => choose(undefined)}>
        {none}
      </Button>
    </>
  )
}

function Paragraphs({ page, formats }: GroupProps): ReactNode {
  const t = useT()
  const line = Math.round(formats.line * 100) / 100
  return (
    <>
      {aligns.map(([to, hint, icon]) => (
        <IconButton
          key={to}
          label={t(`editor.doc.align.${to}`)}
          hint={hint}
          icon={icon}
          pressed={formats.align === to}
          onClick={() => page.run(align(to))}
        />
      ))}
      <i className="dc-rule" />
      <IconButton
        label={t('editor.doc.list.bullet')}
        icon={<TextBulletList20Regular />}
        pressed={formats.list === 'bullet'}
        onClick={() => page.run(toggleList(page.document, 'bullet'))}
      />
      <IconButton
        label={t('editor.doc.list.number')}
        icon={<TextNumberListLtr20Regular />}
        pressed={formats.list === 'number'}
        onClick={() => page.run(toggleList(page.document, 'number'))}
      />
      <IconButton
        label={t('editor.doc.indent.less')}
        icon={<TextIndentDecreaseLtr20Regular />}
        onClick={() => page.run(indent(page.document, -1))}
      />
      <IconButton
        label={t('editor.doc.indent.more')}
        icon={<TextIndentIncreaseLtr20Regular />}
        onClick={() => page.run(indent(page.document, 1))}
      />
      <Select
        size="small"
        className="is-line"
        label={t('editor.doc.line')}
        value={line}
        options={[...new Set([...lines, line])]
          .sort((a, b) => a - b)
          .map((one) => ({ value: one, label: t('editor.doc.line.of', { n: one }) }))}
        onChange={(factor) => page.run(changeParagraphs((pPr) => withLineSpacing(pPr, factor)))}
      />
    </>
  )
}

function ParagraphMenu({ page, formats }: GroupProps): ReactNode {
  const t = useT()
  return (
    <Button
      size="small"
      kind="ghost"
      icon={aligns.find(([one]) => one === formats.align)?.[2]}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect()
        void showMenu(
          [
            ...aligns.map(([to, hint, icon]) => ({
              id: to,
              label: say(`editor.doc.align.${to}`),
              icon,
              hint,
              checked: formats.align === to,
              run: () => page.run(align(to)),
            })),
            { separator: true },
            ...(['bullet', 'number'] as const).map((kind) => ({
              id: kind,
              label: say(`editor.doc.list.${kind}`),
              checked: formats.list === kind,
              run: () => page.run(toggleList(page.document, kind)),
            })),
            { id: 'less', label: say('editor.doc.indent.less'), run: () => page.run(indent(page.document, -1)) },
            { id: 'more', label: say('editor.doc.indent.more'), run: () => page.run(indent(page.document, 1)) },
            { separator: true },
            {
              id: 'line',
              label: say('editor.doc.line'),
              children: lines.map((factor) => ({
                id: `line-${factor}`,
                label: say('editor.doc.line.of', { n: factor }),
                checked: formats.line === factor,
                run: () => page.run(changeParagraphs((pPr) => withLineSpacing(pPr, factor))),
              })),
            },
          ],
          { x: left, y: bottom + 4 },
        )
      }}
    >
      {t('editor.doc.paragraph')}
    </Button>
  )
}
