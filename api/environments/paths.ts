/** The page of an environment's policy. */
export const policyPath = (project_id: string, environment: string): string =>
  `/app/projects/${project_id}/environment/policy?${new URLSearchParams({ name: environment })}`

/** The page of an environment. Its name is a parameter: in a path, names such as `..` would have another meaning. */
export const environmentPath = (project_id: string, environment: string): string =>
  `/app/projects/${project_id}/environment?${new URLSearchParams({ name: environment })}`
