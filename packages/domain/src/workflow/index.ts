// Workflows: templates and their checks, conditions, and the engine that runs a process.
export * from './changes.ts'
export * from './checks.ts'
export * from './conditions.ts'
export {
  type Act as WorkflowAct,
  actOn,
  type Outcome as WorkflowOutcome,
  type Refusal as WorkflowRefusal,
  voidedBy,
  type World as WorkflowWorld,
} from './engine.ts'
export { type RoadStep, roadOf } from './road.ts'
export * from './state.ts'
export * from './template.ts'
