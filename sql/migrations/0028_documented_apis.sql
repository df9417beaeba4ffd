-- The API description that an API documentation was generated from, as parsed JSON. Once the documentation is published, later
-- ones list what has changed since.
alter table deliverables
  add column api_description text check (api_description is null or deliverable_type = 'api_docs');
