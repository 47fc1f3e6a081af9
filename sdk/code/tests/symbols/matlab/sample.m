classdef Cart < handle
    % What people buy.
    methods
        function obj = Cart(items)
            obj.items = items;
        end
        % Adds up.
        function [sum, count] = total(obj, rate)
            if rate > 0
                sum = "function fake()";
            end
        end
    end
end
