/*
 * Extension points: a feature lets features of higher layers add parts to it, such as kinds of requests. The feature
 * declares the point, other features list their parts in `contributions`, and the server joins them when it starts.
 * Core knows neither the points nor the types of their parts.
 */

/** A point to which features contribute parts of type `T`. */
export interface ExtensionPoint<T> {
  readonly name: string
  /** Carries the type of the parts; has no value. */
  readonly part?: (part: T) => void
}

/** Declares an extension point. */
export function extensionPoint<T>(name: string): ExtensionPoint<T> {
  return { name }
}

/** The parts that a feature adds to an extension point. */
export interface Contribution {
  readonly to: string
  readonly parts: readonly unknown[]
}

/** Adds parts to an extension point. Listed in `contributions` of a feature. */
export function contribute<T>(to: ExtensionPoint<T>, ...parts: readonly NoInfer<T>[]): Contribution {
  return { to: to.name, parts }
}

/** Returns the parts that the features contribute to a point, in the order of the features. */
export type Contributed = <T>(point: ExtensionPoint<T>) => readonly T[]

/** Joins the contributions of all features. */
export function contributedBy(contributions: readonly Contribution[]): Contributed {
  return <T>(point: ExtensionPoint<T>) =>
    contributions.flatMap(({ to, parts }) => (to === point.name ? (parts as readonly T[]) : []))
}
