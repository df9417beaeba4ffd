/** How pages name a requirement. */

/** A requirement, as lists of other things name it. */
export interface RequirementName {
  id: string
  number: number
  title: string
}

/** A link to a requirement. */
export const RequirementLink = ({ of: { id, number, title } }: { of: RequirementName }) => (
  <a href={`/app/requirements/${id}`}>
    #{number} {title}
  </a>
)
