// The canvas of a template: nodes laid out from top to bottom, a plus on every edge. The drawing itself is our own JSON
// (template-draft.ts), so the canvas can be replaced; it is loaded with the editor alone.

import type { TemplateBody } from '@cloudoc/contract'
import { graphlib, layout } from '@dagrejs/dagre'
import {
  Background,
  BaseEdge,
  Controls,
  EdgeLabelRenderer,
  type EdgeProps,
  getSmoothStepPath,
  Handle,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Add12Filled } from '../../kit/icons.ts'
import '@xyflow/react/dist/style.css'
import './editor.css'

/** What the nodes and edges of the canvas show and do. */
export interface CanvasState {
  readonly body: TemplateBody
  readonly selected: string | undefined
  readonly onSelect: (node: string) => void
  /** Opens the choice of what is put into an edge. Absent while it is simulated. */
  readonly onInsert: ((edge: string, at: { readonly x: number; readonly y: number }) => void) | undefined
  readonly aboutNode: (node: TemplateBody['nodes'][number]) => string
  readonly aboutEdge: (edge: TemplateBody['edges'][number]) => string
  /** How many problems a node has. */
  readonly problems: ReadonlyMap<string, number>
  /** The nodes and edges of the simulated road, numbered. */
  readonly road: { readonly nodes: ReadonlyMap<string, number>; readonly edges: ReadonlySet<string> } | undefined
}

const State = createContext<CanvasState | undefined>(undefined)

function useCanvas(): CanvasState {
  const state = useContext(State)
  if (state === undefined) throw new Error('only on the canvas')
  return state
}

const size = { width: 220, height: 62 } as const
const small = { width: 120, height: 34 } as const
const isSmall = (type: string): boolean => type === 'join' || type === 'fork' || type === 'condition'

function placesOf(body: TemplateBody) {
  const graph = new graphlib.Graph().setGraph({ rankdir: 'TB', nodesep: 48, ranksep: 56 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, type } of body.nodes) graph.setNode(id, { ...(isSmall(type) ? small : size) })
  for (const { from, to } of body.edges) graph.setEdge(from, to)
  layout(graph)
  return body.nodes.map(({ id, type }) => {
    const { x = 0, y = 0 } = (graph.node(id) as { x?: number; y?: number } | undefined) ?? {}
    const { width, height } = isSmall(type) ? small : size
    return {
      ...{ id, type: 'step', data: {}, draggable: false, connectable: false, width, height },
      position: { x: x - width / 2, y: y - height / 2 },
    }
  })
}

function StepNode({ id }: NodeProps): ReactNode {
  const t = useT()
  const { body, selected, onSelect, aboutNode, problems, road } = useCanvas()
  const node = body.nodes.find((one) => one.id === id)
  if (node === undefined) return null
  const n = problems.get(id) ?? 0
  const place = road?.nodes.get(id)
  const name = node.name === '' ? t(`workflow.node.${node.type}`) : node.name
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <button
        type="button"
        className="we-node nodrag"
        data-type={node.type}
        data-small={isSmall(node.type) || undefined}
        data-road={road === undefined ? undefined : place === undefined ? 'off' : 'on'}
        aria-pressed={selected === id}
        onClick={() => onSelect(id)}
      >
        {place !== undefined && place > 0 && <i>{place}</i>}
        <b>{name}</b>
        {!isSmall(node.type) && <small>{aboutNode(node)}</small>}
        {n > 0 && <em>{t('workflow.editor.problems', { n })}</em>}
      </button>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  )
}

function StepEdge(props: EdgeProps): ReactNode {
  const t = useT()
  const { body, onInsert, aboutEdge, road } = useCanvas()
  const { id, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition } = props
  const [path, x, y] = getSmoothStepPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition })
  const edge = body.edges.find((one) => one.id === id)
  const about = edge === undefined ? '' : aboutEdge(edge)
  return (
    <>
      <BaseEdge
        path={path}
        className={road === undefined ? 'we-edge' : `we-edge is-${road.edges.has(id) ? 'on' : 'off'}`}
      />
      <EdgeLabelRenderer>
        <div className="we-plus nodrag nopan" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
          {about !== '' && <span>{about}</span>}
          {onInsert !== undefined && (
            <button
              type="button"
              aria-label={t('workflow.editor.insert')}
              onClick={({ clientX, clientY }) => onInsert(id, { x: clientX, y: clientY })}
            >
              <Add12Filled />
            </button>
          )}
        </div>
      </EdgeLabelRenderer>
    </>
  )
}

const nodeTypes = { step: StepNode }
const edgeTypes = { step: StepEdge }

export function Canvas(state: CanvasState): ReactNode {
  const { body } = state
  const nodes = useMemo(() => placesOf(body), [body])
  const edges = useMemo(
    () => body.edges.map(({ id, from, to }) => ({ id, source: from, target: to, type: 'step', focusable: false })),
    [body],
  )
  return (
    <State value={state}>
      <ReactFlow
        // Another drawing is fitted into the view anew.
        key={body.nodes.map(({ id }) => id).join()}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.15 }}
        minZoom={0.2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        deleteKeyCode={null}
        proOptions={{ hideAttribution: false }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </State>
  )
}
