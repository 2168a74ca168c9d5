// The list beside the canvas: the same template for keyboard and screen reader, with the form and the switches of the
// whole template. Whatever the canvas can do can be done here.
import type { TemplateBody } from '@cloudoc/contract'
import { fieldTypes } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Add16Regular, Dismiss12Regular } from '../../kit/icons.ts'
import { Select } from '../../kit/select.tsx'
import { edgeText, type Names, nodeText } from './labels.ts'
import { type Edge, type Field, freshId, type Node } from './template-draft.ts'
import './editor.css'

interface OutlineProps {
  readonly body: TemplateBody
  readonly names: Names
  readonly selected: string | undefined
  readonly problems: ReadonlyMap<string, number>
  readonly onSelect: (node: string) => void
  readonly onInsert: (edge: string, at: { readonly x: number; readonly y: number }) => void
  readonly onChange: (body: TemplateBody) => void
}

/** The nodes from the start on, each after one that leads to it. */
function inOrder({ nodes, edges }: TemplateBody): TemplateBody['nodes'] {
  const found: string[] = []
  const visit = (id: string): void => {
    if (found.includes(id)) return
    found.push(id)
    for (const { from, to } of edges) if (from === id) visit(to)
  }
  for (const { id, type } of nodes) if (type === 'start') visit(id)
  const at = new Map(found.map((id, n) => [id, n]))
  return nodes.toSorted((a, b) => (at.get(a.id) ?? nodes.length) - (at.get(b.id) ?? nodes.length))
}

export function Outline(props: OutlineProps): ReactNode {
  const { body, names, selected, problems, onSelect, onInsert, onChange } = props
  const t = useT()
  const nameOf = ({ name, type }: Node): string => (name === '' ? t(`workflow.node.${type}`) : name)
  const exitText = (edge: Edge): string => {
    const to = body.nodes.find(({ id }) => id === edge.to)
    const name = to === undefined ? '' : nameOf(to)
    const condition = edgeText(t, edge, body, names)
    return condition === '' ? name : t('workflow.editor.exitTo', { condition, name })
  }
  const insertButton = (edge: string, label: string): ReactNode => (
    <IconButton
      label={label}
      size="small"
      icon={<Add16Regular />}
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect()
        onInsert(edge, { x: left, y: bottom })
      }}
    />
  )
  return (
    <div className="we-outline">
      <h3>{t('workflow.editor.nodes')}</h3>
      <ol>
        {inOrder(body).map((node) => {
          const n = problems.get(node.id) ?? 0
          const exits = body.edges.filter(({ from }) => from === node.id)
          const name = nameOf(node)
          return (
            <li key={node.id}>
              <button type="button" aria-pressed={selected === node.id} onClick={() => onSelect(node.id)}>
                <b>{name}</b>
                <small>{nodeText(t, node, names)}</small>
                {n > 0 && <em>{t('workflow.editor.problems', { n })}</em>}
              </button>
              {exits.length === 1 && insertButton(exits[0]?.id ?? '', t('workflow.editor.insertAfter', { name }))}
              {exits.length > 1 && (
                <ul>
                  {exits.map((edge) => {
                    const exit = exitText(edge)
                    return (
                      <li key={edge.id}>
                        <small>{exit}</small>
                        {insertButton(edge.id, t('workflow.editor.insertExit', { name, exit }))}
                      </li>
                    )
                  })}
                </ul>
              )}
            </li>
          )
        })}
      </ol>
      <FormEditor body={body} onChange={onChange} />
      <h3>{t('workflow.editor.rules')}</h3>
      <Checkbox
        label={t('workflow.editor.notLauncher')}
        checked={!body.launcherDecides}
        onChange={({ target }) => onChange({ ...body, launcherDecides: !target.checked })}
      />
      <Checkbox
        label={t('workflow.editor.skipsSame')}
        checked={body.skipsSame}
        onChange={({ target }) => onChange({ ...body, skipsSame: target.checked })}
      />
    </div>
  )
}

function FormEditor({ body, onChange }: Pick<OutlineProps, 'body' | 'onChange'>): ReactNode {
  const t = useT()
  const put = (field: Field): void =>
    onChange({ ...body, fields: body.fields.map((one) => (one.id === field.id ? field : one)) })
  return (
    <>
      <h3>{t('workflow.editor.form')}</h3>
      {body.fields.map((field) => (
        <div key={field.id} className="we-field">
          <span className="k-input">
            <input
              aria-label={t('workflow.editor.fieldName')}
              placeholder={t('workflow.editor.fieldName')}
              maxLength={60}
              value={field.name}
              onChange={({ target }) => put({ ...field, name: target.value })}
            />
          </span>
          <Select
            label={t('workflow.editor.fieldType')}
            size="small"
            value={field.type}
            options={fieldTypes.map((type) => ({ value: type, label: t(`workflow.fieldType.${type}`) }))}
            onChange={(type) => put({ ...field, type })}
          />
          <IconButton
            label={t('workflow.editor.removeField')}
            size="small"
            icon={<Dismiss12Regular />}
            onClick={() => onChange({ ...body, fields: body.fields.filter(({ id }) => id !== field.id) })}
          />
          {field.type === 'choice' && (
            <span className="k-input is-wide">
              <input
                aria-label={t('workflow.editor.choices')}
                placeholder={t('workflow.editor.choices')}
                value={field.choices.join('，')}
                onChange={({ target }) =>
                  put({
                    ...field,
                    choices: target.value
                      .split(/[,，]/)
                      .map((one) => one.trim())
                      .filter(Boolean),
                  })
                }
              />
            </span>
          )}
          <Checkbox
            label={t('workflow.editor.required')}
            checked={field.required}
            onChange={({ target }) => put({ ...field, required: target.checked })}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={<Add16Regular />}
        disabled={body.fields.length >= 50}
        onClick={() =>
          onChange({
            ...body,
            fields: [...body.fields, { id: freshId(body, 'f'), name: '', type: 'text', required: false, choices: [] }],
          })
        }
      >
        {t('workflow.editor.addField')}
      </Button>
    </>
  )
}
