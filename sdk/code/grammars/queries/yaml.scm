; YAML. The keys of the outermost mapping, and those of the mappings in it: deeper is data.

(document (block_node (block_mapping
  (block_mapping_pair key: (flow_node (_) @name) value: (block_node) @body) @definition.field)))
(document (block_node (block_mapping (block_mapping_pair key: (flow_node (_) @name)) @definition.field)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (flow_node (_) @name) value: (block_node) @body) @definition.field))))))
((document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (flow_node (_) @name)) @definition.field))))))
  (#not-eq? @name "<<"))
((block_mapping_pair key: (flow_node) @_key value: (block_node (anchor (anchor_name) @name))) @definition.other
  (#not-eq? @_key @name))

(comment) @comment

(alias_name) @reference
